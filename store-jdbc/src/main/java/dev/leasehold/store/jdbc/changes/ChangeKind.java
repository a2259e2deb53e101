package dev.leasehold.store.jdbc.changes;

import java.util.List;
import java.util.Set;

/** A kind of change that a block announces, and its text form. */
public interface ChangeKind<C> {
  /** The first words of its lines; no other kind uses them. */
  Set<String> words();

  /** A line that begins with one of the words. */
  String line(C change);

  /**
   * The change that a line tells of.
   *
   * @throws IllegalArgumentException if the line cannot be read
   */
  C read(String line);

  /** Whether a change belongs to the topic of a watch. */
  boolean concerns(C change, String topic);

  /** Whether other processes may be waiting for it; other changes go out a little later. */
  boolean isUrgent(C change);

  /** Those of several changes that are still worth sending when they go out together. */
  List<C> news(List<C> changes);
}
