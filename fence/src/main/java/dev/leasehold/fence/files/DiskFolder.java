package dev.leasehold.fence.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A folder of the file system. */
record DiskFolder(Path path) implements Folder {
  @Override
  public List<String> names(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .toList();
    }
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(path.resolve(name));
  }

  @Override
  public Optional<byte[]> read(String name) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(path.resolve(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public void create(String name) throws IOException {
    try {
      Files.createFile(path.resolve(name));
    } catch (FileAlreadyExistsException e) {
      // Another process has created the same file, which is just as good.
      return;
    }
  }

  @Override
  public void create(String name, byte[] content) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            path.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
  }

  @Override
  public boolean link(String name, String second) throws IOException {
    try {
      Files.createLink(path.resolve(second), path.resolve(name));
      return true;
    } catch (FileAlreadyExistsException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public boolean rename(String name, String newName) throws IOException {
    try {
      Files.move(path.resolve(name), path.resolve(newName), StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(path.resolve(name));
  }

  @Override
  public void sync() throws IOException {
    try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
