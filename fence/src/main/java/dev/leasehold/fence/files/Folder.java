package dev.leasehold.fence.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of a file system. Each of these is one step that others see whole or not at all.
 */
interface Folder {
  /** Names that begin so. One that is made, renamed or deleted meanwhile may be missing. */
  List<String> names(String prefix) throws IOException;

  boolean exists(String name) throws IOException;

  /** Empty if there is no such file. */
  Optional<byte[]> read(String name) throws IOException;

  /** Makes an empty file, unless there is one. */
  void create(String name) throws IOException;

  /** Makes a file with content that is on disk when this returns. */
  void create(String name, byte[] content) throws IOException;

  /** Gives a file a second name, unless that is taken; false: there is no such file. */
  boolean link(String name, String second) throws IOException;

  /** Replaces what had the new name; false: there is no such file. */
  boolean rename(String name, String newName) throws IOException;

  void delete(String name) throws IOException;

  /** All names that are there now survive a crash. */
  void sync() throws IOException;
}
