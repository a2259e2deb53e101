package dev.leasehold.fence.files;

import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A folder in memory whose operations are atomic, and fast enough for thousands of orders. */
final class MemoryFolder implements Folder {
  private final TreeMap<String, byte[]> files = new TreeMap<>();

  @Override
  public synchronized List<String> names(String prefix) {
    return files.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
  }

  @Override
  public synchronized boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public synchronized Optional<byte[]> read(String name) {
    return Optional.ofNullable(files.get(name));
  }

  @Override
  public synchronized void create(String name) {
    files.putIfAbsent(name, new byte[0]);
  }

  @Override
  public synchronized void create(String name, byte[] content) throws FileAlreadyExistsException {
    if (files.putIfAbsent(name, content) != null) {
      throw new FileAlreadyExistsException(name);
    }
  }

  @Override
  public synchronized boolean link(String name, String second) {
    byte[] content = files.get(name);
    if (content != null) {
      files.putIfAbsent(second, content);
    }
    return content != null;
  }

  @Override
  public synchronized boolean rename(String name, String newName) {
    byte[] content = files.remove(name);
    if (content != null) {
      files.put(newName, content);
    }
    return content != null;
  }

  @Override
  public synchronized void delete(String name) {
    files.remove(name);
  }

  @Override
  public void sync() {
    // There is nothing to make durable.
  }
}
