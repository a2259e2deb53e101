package dev.leasehold.benchmarks.rivals;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A process's candidacies for leadership, with one implementation of elections. */
public interface Candidates extends AutoCloseable {
  /** Is a candidate from now on, and runs this on a thread of its kind once it leads. */
  void stand(String name, Runnable elected) throws Exception;

  /** Gives everything up, like a process that ends in order. */
  @Override
  void close();

  /** Ends them all at once, and waits for that. */
  static <T> void endAll(List<T> standing, Consumer<T> end) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      standing.forEach(one -> threads.execute(() -> end.accept(one)));
    }
  }
}
