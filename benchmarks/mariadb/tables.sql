-- Tables and procedures for locks.py and costs.py: one row; two rows (lease, beat); one with an index.
CREATE DATABASE x; USE x;
CREATE TABLE one (k VARBINARY(255) PRIMARY KEY, token BIGINT, ended INT, n BIGINT, expires DATETIME(6));
CREATE TABLE lease (k VARBINARY(255) PRIMARY KEY, token BIGINT, ended INT, request INT);
CREATE TABLE beat (k VARBINARY(255) PRIMARY KEY, token BIGINT, expires DATETIME(6));
CREATE TABLE ind (k VARBINARY(255) PRIMARY KEY, token BIGINT, ended INT, expires DATETIME(6),
                  UNIQUE INDEX fence (k, token, ended));
CREATE TABLE store (id INT PRIMARY KEY, incarnation INT);
CREATE TABLE paid (id INT PRIMARY KEY, times BIGINT);
INSERT INTO paid SELECT seq, 0 FROM seq_0_to_9999;
DELIMITER //
CREATE PROCEDURE fresh() BEGIN
  REPLACE INTO store VALUES (1, 1);
  REPLACE INTO one VALUES ('a', 7, 0, 0, SYSDATE(6) + INTERVAL 30 SECOND);
  REPLACE INTO lease VALUES ('a', 7, 0, 0), ('z', 7, 0, 0);
  REPLACE INTO beat VALUES ('a', 7, SYSDATE(6) + INTERVAL 30 SECOND);
  REPLACE INTO ind VALUES ('a', 7, 0, SYSDATE(6) + INTERVAL 30 SECOND);
  UPDATE paid SET times = 0 WHERE id = 0;
END //
CREATE PROCEDURE renew(t BIGINT) BEGIN
  UPDATE beat SET expires = SYSDATE(6) + INTERVAL 30 SECOND
   WHERE k = 'a' AND token = t AND expires > SYSDATE(6);
  SELECT IF(ROW_COUNT() = 1, 'renewed', 'lost');
END //
CREATE PROCEDURE take(r INT) BEGIN
  DECLARE t, q BIGINT; DECLARE e, c DATETIME(6);
  START TRANSACTION;
  SELECT token, request INTO t, q FROM lease WHERE k = 'a' FOR UPDATE;
  SELECT expires, SYSDATE(6) INTO e, c FROM beat WHERE k = 'a' FOR UPDATE;
  IF q = r THEN SELECT 'granted', t;
  ELSEIF c < e THEN SELECT 'held';
  ELSE
    UPDATE lease SET token = t + 1, request = r WHERE k = 'a';
    UPDATE beat SET token = t + 1, expires = c + INTERVAL 30 SECOND WHERE k = 'a';
    SELECT 'granted', t + 1;
  END IF;
  COMMIT;
END //
CREATE PROCEDURE refuse() KILL CONNECTION_ID() //
DELIMITER ;
CALL fresh();
