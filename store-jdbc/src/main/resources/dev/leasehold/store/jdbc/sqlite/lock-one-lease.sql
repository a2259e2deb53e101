-- The transaction is immediate: it has the write lock already.
@{read}
