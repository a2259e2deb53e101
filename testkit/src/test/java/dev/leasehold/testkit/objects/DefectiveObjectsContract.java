package dev.leasehold.testkit.objects;

/** The suite on a store with the planted defect. Its name keeps it out of the normal build. */
final class DefectiveObjectsContract extends ObjectStoreContract {
  /** JUnit makes the instances, so this is how they learn what to open. One suite at a time. */
  static ObjectDefect planted = ObjectDefect.NONE;

  @Override
  protected ObjectsUnderTest open(long startMillis) {
    ObjectsUnderTest sound = ObjectsDifferentialContract.reference(startMillis);
    var defective = planted.around(sound.objects());
    return new ObjectsUnderTest(sound.leases(), defective, defective);
  }
}
