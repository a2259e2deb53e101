package dev.leasehold.testkit.objects;

/** The reference store keeps the contract. */
class MemoryObjectStoreContractTest extends ObjectStoreContract {
  @Override
  protected ObjectsUnderTest open(long startMillis) {
    return ObjectsDifferentialContract.reference(startMillis);
  }
}
