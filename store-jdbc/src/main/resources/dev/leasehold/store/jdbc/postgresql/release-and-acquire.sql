-- One round trip and one transaction for both.
@{release};
@{acquire}
