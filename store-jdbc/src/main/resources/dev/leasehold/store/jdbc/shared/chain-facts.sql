(SELECT c.height FROM leasehold_chain c ORDER BY c.height DESC LIMIT 1),
       (SELECT c.link FROM leasehold_chain c ORDER BY c.height DESC LIMIT 1),
       (SELECT m.link FROM leasehold_chain m
         WHERE m.height = (SELECT max(c.height) - max(c.height) % 256 FROM leasehold_chain c)),
       (SELECT c.link FROM leasehold_chain c WHERE c.height = ?),
       (SELECT c.link FROM leasehold_chain c WHERE c.height = ?)
