package dev.leasehold.fence.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The file system operations that the fence needs. Each is atomic: other processes see it whole or
 * not at all.
 */
interface Folder {
  /**
   * The names with this prefix. A file that is created, renamed or deleted meanwhile may be
   * missing.
   */
  List<String> names(String prefix) throws IOException;

  boolean exists(String name) throws IOException;

  /** Reads a file; empty if there is no such file. */
  Optional<byte[]> read(String name) throws IOException;

  /** Creates an empty file, unless it exists. */
  void create(String name) throws IOException;

  /** Creates a file; its content is on disk when this returns. */
  void create(String name, byte[] content) throws IOException;

  /** Gives a file a second name, unless that name exists; false if there is no such file. */
  boolean link(String name, String second) throws IOException;

  /** Renames a file, and replaces an existing one; false if there is no such file. */
  boolean rename(String name, String newName) throws IOException;

  void delete(String name) throws IOException;

  /** Makes all current names durable. */
  void sync() throws IOException;
}
