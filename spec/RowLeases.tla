------------------------------ MODULE RowLeases ------------------------------
(***************************************************************************)
(* Sessions and row leases, for one row: processes that hold the row under *)
(* a session, workers behind them, and what becomes of the row when its    *)
(* session ends, its worker moves or falls silent, or the incarnation is   *)
(* advanced.                                                               *)
(*                                                                         *)
(* What is modelled                                                        *)
(*   - a session: opened; expired, then ended by EndExpired; closed by its *)
(*     process; revoked, and ended when that closure has passed; ended by  *)
(*     an incarnation advance;                                             *)
(*   - its two anchors, own and served; a served one is adopted by a       *)
(*     compare-and-set on the ended grant; both are done when a plain read *)
(*     finds no held row;                                                  *)
(*   - take, as two steps with the session's lock between them;            *)
(*   - writes of the holder, as two steps with a lock of the row between   *)
(*     them: one that inserts elsewhere (FOR KEY SHARE), and one that      *)
(*     changes the row, in a transaction of a user's that may roll back;   *)
(*   - give back, sweep, move, reap from a server's memory and by query;   *)
(*   - a server's lease table: entries that arrive later than their        *)
(*     commit, heartbeats answered from memory, notices, and the age of    *)
(*     the last read of them;                                              *)
(*   - workers that pause for any length of time, try to write with any    *)
(*     token that they ever had, and send heartbeats to any server.        *)
(*                                                                         *)
(* What is abstracted                                                      *)
(*   - Processes. A process that starts again is another member of         *)
(*     Sessions. What it had in flight lands later under the old session.  *)
(*   - A session's time. It expires at any moment, and its process trusts  *)
(*     it until then: the most that the lease protocol allows (I6, which   *)
(*     Leasehold.tla proves). The locks decide all that follows.           *)
(*   - A worker's time. Its trust, the deadlines and the ages of reads are *)
(*     timers that tick together, so time is not bounded. What may happen  *)
(*     at a deadline may happen in its tick, so there is no margin.        *)
(*   - Answers to workers. One that is late or lost gives less trust, so   *)
(*     the worker has each at the moment of its commit. No worker and no   *)
(*     server is forced to act.                                            *)
(*   - A worker's id. Tokens are unique (R2), so a token names a hold.     *)
(*   - A finished row. It is free again, so that there is more to go wrong.*)
(*   - What is over. A server's memory of a hold that has ended, and of a  *)
(*     process without a session, is dropped where no step could use it.   *)
(*   - Left out: batches, an operator's requeue and cancel (R3 excepts     *)
(*     them), revoke `now`, purge and its floor, a process's reading of    *)
(*     its own anchors, lease lengths that differ, repeats and durability  *)
(*     (R5), and whatever must happen in time (the rest of R4).            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Sessions,         \* interchangeable
  Nobody,           \* the row is held under no session's anchor
  Length,           \* ticks that an answered heartbeat gives a worker
  MaxAge,           \* ticks since the last read of notices in which memory may answer
  MaxTakes,         \* how often the row may be taken
  MaxAdvances       \* how often the incarnation may be advanced

\* Each switch is TRUE in the protocol; FALSE is a design that looks fine and is not.
CONSTANTS
  TakeLocksSession,    \* a take locks its session's lease row FOR KEY SHARE until commit
  TakeForUpdate,       \* a take locks the row FOR UPDATE: it waits for inserting writes
  EndIsAwaited,        \* a session has ended when its grant is not current, not at its expiry
  DoneByPlainRead,     \* an anchor is done by a plain read, not by one that skips locked rows
  ReapNamesAnchor,     \* a reap matches the anchor that names the reaper's grant, and the token
  ReapChecksSession,   \* a reap asks that the reaper's session is alive
  ReapWaits,           \* a row that came by move or adoption is reaped MaxAge later
  NoticesApplied,      \* a read of notices removes the entries that they name
  NoticesKeepOut,      \* ... and keeps out those that are still on their way
  HeartbeatTrusts,     \* memory answers only while its process trusts its session
  MoveAsksIncarnation, \* a row of an older incarnation is not moved
  WriteComparesToken,  \* a write asks that the row is held with its own token
  TokenHasIncarnation  \* the store's incarnation is in front of the row's counter

ASSUME {TakeLocksSession, TakeForUpdate, EndIsAwaited, DoneByPlainRead, ReapNamesAnchor,
        ReapChecksSession, ReapWaits, NoticesApplied, NoticesKeepOut, HeartbeatTrusts,
        MoveAsksIncarnation, WriteComparesToken, TokenHasIncarnation} \subseteq BOOLEAN
ASSUME Nobody \notin Sessions /\ Length > 0

VARIABLES
  session,     \* how each session stands, and the incarnation that it was opened in
  taking,      \* sessions with a take between the check of the session and commit
  served,      \* each session's served anchor: whose grant it names, ticks until its reap
  done,        \* anchors that were dropped as done
  incarnation, \* the store's
  row,         \* the row as committed: its token, and the anchor under which it is held
  hold,        \* what each taker has: its token, its trust in heartbeats, whether it stopped
  inserting,   \* holds with an open transaction that inserts elsewhere
  finishing,   \* the hold with an open transaction that changed the row, or 0
  entry,       \* each server's lease table: what it knows of each hold
  age,         \* ticks since each server's last read of its notices
  notices,     \* the holds that are named by unread notices for each server
  breach       \* ghost: which forbidden changes took effect

vars == <<session, taking, served, done, incarnation, row, hold, inserting, finishing, entry,
          age, notices, breach>>

Symmetry == Permutations(Sessions)

-----------------------------------------------------------------------------
Max(a, b) == IF a > b THEN a ELSE b
Down(n) == IF n > 0 THEN n - 1 ELSE 0

(* Tokens: the incarnation in front, then the row's counter. *)

Token(i, counter) == i * (MaxTakes + 1) + counter
IncarnationOf(token) == token \div (MaxTakes + 1)
NextToken ==
  Token(IF TokenHasIncarnation THEN incarnation ELSE 0, (row.token % (MaxTakes + 1)) + 1)

(* Sessions. An expired one has not ended: its grant is current, but it takes and moves nothing.
   One that was ended by an advance is lost, and its process may trust it for a while. *)

Alive(s) == session[s].state = "live"
Trusts(s) == session[s].state \in {"live", "closing", "lost"}
Ended(s) == session[s].state \in {"ended", "lost"}
TakenForEnded(s) == Ended(s) \/ (~EndIsAwaited /\ session[s].state = "expired")

\* What ends a grant locks its lease row FOR UPDATE, so it waits for takes that lock that row.
HeldBack(s) == TakeLocksSession /\ s \in taking

(* The row. *)

Holds == DOMAIN hold
Free == row.held = "free"
Freed == [row EXCEPT !.held = "free", !.of = Nobody]
HeldUnder(kind, s) == row.held = kind /\ row.of = s
HeldBy(h) == ~Free /\ row.token = hold[h].token
IsOld == IncarnationOf(row.token) < incarnation

\* What a write asks.
Accepted(h) ==
  /\ IF WriteComparesToken THEN HeldBy(h) ELSE ~Free
  /\ IncarnationOf(hold[h].token) = incarnation

\* Which locks of the row the open transactions of users leave to other statements.
CanUpdate == finishing = 0                       \* FOR NO KEY UPDATE, and a plain update
CanLockForUpdate == CanUpdate /\ inserting = {}  \* waits for FOR KEY SHARE as well

(* Memory of servers. *)

NoEntry == [state |-> "none", left |-> 0]
IsEmpty(table) == \A h \in 1..MaxTakes : table[h] = NoEntry
TooOld == MaxAge + 1
Whole == Length + (IF ReapWaits THEN MaxAge ELSE 0)

\* A lease table without entries needs no read, so how old its last one is makes no difference.
Entries(tables) ==
  /\ entry' = tables
  /\ age' = [s \in Sessions |-> IF IsEmpty(tables[s]) THEN TooOld ELSE age[s]]

\* The hold is over. No token is held twice, so what servers remember of it changes nothing.
Over(over) ==
  /\ Entries([s \in Sessions |-> [h \in 1..MaxTakes |->
                IF h \in over THEN NoEntry ELSE entry[s][h]]])
  /\ notices' = [s \in Sessions |-> notices[s] \ over]

\* A process without a session has nothing in hand; it keeps what a switch would let it use.
Remembers(s) == Trusts(s) \/ ~(ReapChecksSession /\ HeartbeatTrusts)
Forgets(s) ==
  IF ReapChecksSession /\ HeartbeatTrusts
  THEN /\ Entries([entry EXCEPT ![s] = [h \in 1..MaxTakes |-> NoEntry]])
       /\ notices' = [notices EXCEPT ![s] = {}]
  ELSE UNCHANGED <<entry, age, notices>>

-----------------------------------------------------------------------------
(* Sessions. *)

Open(s) ==
  /\ session[s].state = "none"
  /\ session' = [session EXCEPT ![s] = [state |-> "live", in |-> incarnation]]
  /\ UNCHANGED <<taking, served, done, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

\* No renewal came in time, and the store refuses those that come later.
Expire(s) ==
  /\ session[s].state = "live"
  /\ session' = [session EXCEPT ![s].state = "expired"]
  /\ Forgets(s)
  /\ UNCHANGED <<taking, served, done, incarnation, row, hold, inserting, finishing, breach>>

EndExpired(s) ==
  /\ session[s].state = "expired" /\ ~HeldBack(s)
  /\ session' = [session EXCEPT ![s].state = "ended"]
  /\ UNCHANGED <<taking, served, done, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

\* The process has stopped its own work and given those rows back; rows of workers stay.
Close(s) ==
  /\ Alive(s) /\ ~HeldUnder("own", s) /\ s \notin taking
  /\ session' = [session EXCEPT ![s].state = "ended"]
  /\ Forgets(s)
  /\ UNCHANGED <<taking, served, done, incarnation, row, hold, inserting, finishing, breach>>

\* The grant is not current any more, but its process trusts it until the closure has passed.
Revoke(s) ==
  /\ Alive(s) /\ ~HeldBack(s)
  /\ session' = [session EXCEPT ![s].state = "closing"]
  /\ UNCHANGED <<taking, served, done, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

\* With the closure, and some time after an advance, trust runs out.
StopTrusting(s) ==
  /\ session[s].state \in {"closing", "lost"}
  /\ session' = [session EXCEPT ![s].state = "ended"]
  /\ Forgets(s)
  /\ UNCHANGED <<taking, served, done, incarnation, row, hold, inserting, finishing, breach>>

\* The advance ends all sessions and touches no row. Where it follows a restore, the row is as
\* it was before the first take, and transactions that were open are gone.
Advance(restored) ==
  /\ incarnation < MaxAdvances /\ \A s \in Sessions : ~HeldBack(s)
  /\ incarnation' = incarnation + 1
  /\ session' = [s \in Sessions |-> [session[s] EXCEPT
       !.state = CASE @ = "none" -> "none" [] Trusts(s) -> "lost" [] OTHER -> "ended"]]
  /\ row' = IF restored THEN [token |-> 0, held |-> "free", of |-> Nobody] ELSE row
  /\ inserting' = IF restored THEN {} ELSE inserting
  /\ finishing' = IF restored THEN 0 ELSE finishing
  /\ UNCHANGED <<taking, served, done, hold, entry, age, notices, breach>>

Tick ==
  /\ served' = [s \in Sessions |-> [served[s] EXCEPT !.left = Down(@)]]
  /\ hold' = [h \in Holds |-> [hold[h] EXCEPT !.trust = Down(@)]]
  /\ entry' = [s \in Sessions |-> [h \in 1..MaxTakes |->
                [entry[s][h] EXCEPT !.left = Down(@)]]]
  /\ age' = [s \in Sessions |-> IF age[s] = TooOld THEN TooOld ELSE age[s] + 1]
  /\ UNCHANGED <<session, taking, done, incarnation, row, inserting, finishing, notices, breach>>

-----------------------------------------------------------------------------
(* Take. *)

CheckTake(s) ==
  /\ Alive(s) /\ s \notin taking /\ Len(hold) < MaxTakes
  /\ taking' = taking \cup {s}
  /\ UNCHANGED <<session, served, done, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

RollBackTake(s) ==
  /\ s \in taking
  /\ taking' = taking \ {s}
  /\ UNCHANGED <<session, served, done, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

\* For the process itself, or for a worker behind it, which has the token only from its server:
\* before the server has entered the hold, nothing can happen to it.
Take(s, kind) ==
  /\ s \in taking /\ Free /\ Len(hold) < MaxTakes
  /\ IF TakeForUpdate THEN CanLockForUpdate ELSE CanUpdate
  /\ taking' = taking \ {s}
  /\ row' = [token |-> NextToken, held |-> kind, of |-> s]
  /\ hold' = Append(hold, [token |-> NextToken, stopped |-> FALSE,
                           trust |-> IF kind = "own" THEN 0 ELSE Length])
  /\ entry' = IF kind = "own" THEN entry
              ELSE [entry EXCEPT ![s][Len(hold) + 1] = [state |-> "in", left |-> Length]]
  /\ UNCHANGED <<session, served, done, incarnation, inserting, finishing, age, notices, breach>>

-----------------------------------------------------------------------------
(* Writes of a holder, at any time later. One that is refused changes nothing, so the refusal is
   no step of its own. *)

Insert(h) ==
  /\ Accepted(h) /\ ~hold[h].stopped /\ h \notin inserting
  /\ inserting' = inserting \cup {h}
  /\ UNCHANGED <<session, taking, served, done, incarnation, row, hold, finishing, entry, age,
                 notices, breach>>

\* Rolling back looks the same, but for what was inserted.
CommitInsert(h) ==
  /\ h \in inserting
  /\ inserting' = inserting \ {h}
  /\ breach' = breach \cup
       (IF \E later \in Holds : later > h THEN {"landed after a successor's take"} ELSE {})
  /\ UNCHANGED <<session, taking, served, done, incarnation, row, hold, finishing, entry, age,
                 notices>>

\* Until the commit, others read the row as it was.
Finish(h) ==
  /\ Accepted(h) /\ ~hold[h].stopped /\ CanUpdate
  /\ finishing' = h
  /\ UNCHANGED <<session, taking, served, done, incarnation, row, hold, inserting, entry, age,
                 notices, breach>>

CommitFinish ==
  /\ finishing # 0
  /\ finishing' = 0
  /\ row' = Freed
  /\ hold' = [hold EXCEPT ![finishing].stopped = TRUE, ![finishing].trust = 0]
  /\ Over({finishing})
  /\ UNCHANGED <<session, taking, served, done, incarnation, inserting, breach>>

RollBackFinish ==
  /\ finishing # 0
  /\ finishing' = 0
  /\ UNCHANGED <<session, taking, served, done, incarnation, row, hold, inserting, entry, age,
                 notices, breach>>

\* A plain update, which does not wait for an insert of the same holder that is still open.
GiveBack(h) ==
  /\ Accepted(h) /\ ~hold[h].stopped /\ CanUpdate
  /\ row' = Freed
  /\ hold' = [hold EXCEPT ![h].stopped = TRUE, ![h].trust = 0]
  /\ Over({h})
  /\ UNCHANGED <<session, taking, served, done, incarnation, inserting, finishing, breach>>

-----------------------------------------------------------------------------
(* Others free the row. *)

\* What R3 forbids. A row of an older incarnation is excepted: an operator has ended its hold.
Wrongs ==
  IF IsOld THEN {}
  ELSE (IF row.held = "own" /\ ~Ended(row.of) THEN {"freed before its session's end"} ELSE {})
       \cup (IF \E h \in Holds : HeldBy(h) /\ hold[h].trust > 0
             THEN {"freed before its worker's silence"} ELSE {})

FreeByOthers ==
  /\ CanLockForUpdate
  /\ row' = Freed
  /\ breach' = breach \cup Wrongs
  /\ Over({h \in Holds : HeldBy(h)})
  /\ UNCHANGED <<session, taking, served, done, incarnation, hold, inserting, finishing>>

\* Own rows of an ended session, and served ones of an older incarnation.
CanSweep(s, v) ==
  /\ Alive(s) /\ TakenForEnded(v)
  /\ HeldUnder("own", v) \/ (HeldUnder("served", v) /\ session[v].in < incarnation)

Sweep(s, v) == CanSweep(s, v) /\ FreeByOthers

\* A plain read sees the row as committed, whatever an open transaction has changed.
FindsNoRow(kind, v) ==
  \/ ~HeldUnder(kind, v)
  \/ ~DoneByPlainRead /\ ~CanLockForUpdate

Drop(s, kind, v) ==
  /\ Alive(s) /\ TakenForEnded(v) /\ <<kind, v>> \notin done /\ FindsNoRow(kind, v)
  /\ done' = done \cup {<<kind, v>>}
  /\ served' = IF kind = "served" THEN [served EXCEPT ![v] = [under |-> v, left |-> 0]]
               ELSE served
  /\ UNCHANGED <<session, taking, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

\* A compare-and-set on the ended grant. (An anchor without a held row is dropped instead.) The
\* time from which the workers are unheard is set at the first adoption only.
Adopt(s, v) ==
  /\ Alive(s) /\ TakenForEnded(served[v].under) /\ session[v].in = incarnation
  /\ HeldUnder("served", v) /\ <<"served", v>> \notin done
  /\ served' = [served EXCEPT ![v].under = s,
                              ![v].left = IF served[v].under = v THEN Whole ELSE @]
  /\ UNCHANGED <<session, taking, done, incarnation, row, hold, inserting, finishing, entry, age,
                 notices, breach>>

\* By query: what is still under an adopted anchor when its time is up.
CanReapAdopted(s, v) ==
  /\ Alive(s) /\ s # v /\ served[v].under = s /\ served[v].left = 0
  /\ HeldUnder("served", v)

ReapAdopted(s, v) == CanReapAdopted(s, v) /\ FreeByOthers

\* From a server's memory, which has not heard of the worker in time. The entry may be out of
\* date, and the statement may land late.
CanReap(s, h) ==
  /\ entry[s][h].state = "in" /\ entry[s][h].left = 0
  /\ HeldBy(h)
  /\ ReapNamesAnchor => HeldUnder("served", s)
  /\ ReapChecksSession => Alive(s)

Reap(s, h) == CanReap(s, h) /\ FreeByOthers

-----------------------------------------------------------------------------
(* Heartbeats. *)

CanAnswer(s, h) ==
  /\ entry[s][h].state = "in" /\ age[s] # TooOld
  /\ HeartbeatTrusts => Trusts(s)

\* From memory.
Answer(s, h) ==
  /\ CanAnswer(s, h) /\ ~hold[h].stopped
  /\ hold' = [hold EXCEPT ![h].trust = Length]
  /\ entry' = [entry EXCEPT ![s][h].left = Max(@, Length)]
  /\ breach' = breach \cup
       (IF Ended(s) /\ session[s].in = incarnation THEN {"answered without a session"} ELSE {})
  /\ UNCHANGED <<session, taking, served, done, incarnation, row, inserting, finishing, age,
                 notices>>

CanMove(s, h) ==
  /\ Alive(s) /\ row.held = "served" /\ HeldBy(h) /\ ~hold[h].stopped
  /\ MoveAsksIncarnation => ~IsOld

\* From the store, which moves the row; the server that had it gets a notice. Between commit and
\* entry, the worker may have asked another server.
Move(s, h) ==
  /\ CanMove(s, h) /\ CanUpdate
  /\ row' = [row EXCEPT !.of = s]
  /\ entry' = [entry EXCEPT ![s][h] = [state |-> "coming", left |-> Whole]]
  /\ hold' = [hold EXCEPT ![h].trust = Length]
  /\ notices' = IF row.of = s \/ ~Remembers(row.of) THEN notices
                ELSE [notices EXCEPT ![row.of] = @ \cup {h}]
  /\ UNCHANGED <<session, taking, served, done, incarnation, inserting, finishing, age, breach>>

Enter(s, h) ==
  /\ entry[s][h].state = "coming" /\ Trusts(s)
  /\ entry' = [entry EXCEPT ![s][h].state = "in"]
  /\ UNCHANGED <<session, taking, served, done, incarnation, row, hold, inserting, finishing, age,
                 notices, breach>>

\* A read applies all notices and deletes them. (A notice that does not keep out the entry that it
\* names waits in the store for the next read.)
Read(s) ==
  LET applies(h) == h \in notices[s] /\ (entry[s][h].state = "in" \/ NoticesKeepOut)
      table == [h \in 1..MaxTakes |->
                 IF NoticesApplied /\ applies(h) THEN NoEntry ELSE entry[s][h]]
  IN /\ Remembers(s) /\ ~IsEmpty(entry[s])
     /\ entry' = [entry EXCEPT ![s] = table]
     /\ age' = [age EXCEPT ![s] = IF IsEmpty(table) THEN TooOld ELSE 0]
     /\ notices' = [notices EXCEPT ![s] =
          {h \in @ : ~NoticesKeepOut /\ entry[s][h].state = "coming"}]
     /\ UNCHANGED <<session, taking, served, done, incarnation, row, hold, inserting, finishing,
                    breach>>

-----------------------------------------------------------------------------
Init ==
  /\ session = [s \in Sessions |-> [state |-> "none", in |-> 0]]
  /\ taking = {} /\ done = {} /\ incarnation = 0
  /\ served = [s \in Sessions |-> [under |-> s, left |-> 0]]
  /\ row = [token |-> 0, held |-> "free", of |-> Nobody]
  /\ hold = <<>> /\ inserting = {} /\ finishing = 0
  /\ entry = [s \in Sessions |-> [h \in 1..MaxTakes |-> NoEntry]]
  /\ age = [s \in Sessions |-> TooOld]
  /\ notices = [s \in Sessions |-> {}] /\ breach = {}

Kinds == {"own", "served"}

Next ==
  \/ Tick \/ CommitFinish \/ RollBackFinish
  \/ \E restored \in BOOLEAN : Advance(restored)
  \/ \E s \in Sessions : Open(s) \/ Expire(s) \/ EndExpired(s) \/ Close(s)
  \/ \E s \in Sessions : Revoke(s) \/ StopTrusting(s)
  \/ \E s \in Sessions : CheckTake(s) \/ RollBackTake(s) \/ Read(s)
  \/ \E s \in Sessions : \E kind \in Kinds : Take(s, kind)
  \/ \E h \in Holds : Insert(h) \/ CommitInsert(h) \/ Finish(h) \/ GiveBack(h)
  \/ \E s, v \in Sessions : Sweep(s, v) \/ Adopt(s, v) \/ ReapAdopted(s, v)
  \/ \E s, v \in Sessions : \E kind \in Kinds : Drop(s, kind, v)
  \/ \E s \in Sessions : \E h \in Holds : Reap(s, h) \/ Answer(s, h)
  \/ \E s \in Sessions : \E h \in Holds : Move(s, h) \/ Enter(s, h)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Invariants, named as in the design. *)

Tokens == 0..Token(MaxAdvances, MaxTakes)

TypeOK ==
  /\ session \in [Sessions ->
       [state : {"none", "live", "expired", "closing", "lost", "ended"}, in : 0..MaxAdvances]]
  /\ taking \subseteq Sessions /\ done \subseteq Kinds \X Sessions
  /\ served \in [Sessions -> [under : Sessions, left : 0..Whole]]
  /\ incarnation \in 0..MaxAdvances
  /\ row \in [token : Tokens, held : {"free"} \cup Kinds, of : Sessions \cup {Nobody}]
  /\ Free <=> row.of = Nobody
  /\ Len(hold) <= MaxTakes /\ \A h \in Holds :
       hold[h] \in [token : Tokens, trust : 0..Length, stopped : BOOLEAN]
  /\ inserting \subseteq Holds /\ finishing \in {0} \cup Holds
  /\ entry \in [Sessions ->
       [1..MaxTakes -> [state : {"none", "coming", "in"}, left : 0..Whole]]]
  /\ age \in [Sessions -> 0..TooOld] /\ notices \in [Sessions -> SUBSET Holds]
  /\ breach \subseteq {"freed before its session's end", "freed before its worker's silence",
                       "landed after a successor's take", "answered without a session"}

\* The row has at most one holder whose writes are accepted, or were and may still commit.
R1_OneHolderAccepted ==
  Cardinality({h \in Holds : Accepted(h) \/ h \in inserting \/ h = finishing}) <= 1

\* Tokens strictly increase from take to take, through a restored copy too.
R2_TokensIncrease == \A g, h \in Holds : g < h => hold[g].token < hold[h].token

\* No row is freed for others while its session has not ended ...
R3_SessionHadEnded == "freed before its session's end" \notin breach

\* ... nor while its worker trusts what a heartbeat was answered.
R3_WorkerWasSilent == "freed before its worker's silence" \notin breach

\* No sweep, adoption or reap looks for rows under an anchor that was dropped.
R4_NoRowForgotten == <<row.held, row.of>> \notin done

\* A row of an older incarnation is under an anchor that is swept, and stays there.
R4_OldRowIsSwept == (~Free /\ IsOld) => session[row.of].in < incarnation

\* A process that has lost its session answers nothing from memory. Excepted, as in I6: an
\* incarnation advance, after which no row is taken before that process stops to trust.
R6_SilentWithoutSession == "answered without a session" \notin breach

\* What a holder writes does not land after a successor's take.
R6_NothingLandsLate == "landed after a successor's take" \notin breach

-----------------------------------------------------------------------------
(* Reachability: each says that something never happens, and must be violated. *)

Superseded(g) ==
  /\ ~hold[g].stopped /\ IncarnationOf(hold[g].token) = incarnation
  /\ \E h \in Holds : g < h /\ Accepted(h)

NeverRefused == \A g \in Holds : ~Superseded(g)
NeverRefusedAfterAdvance == \A h \in Holds : ~(HeldBy(h) /\ ~hold[h].stopped /\ IsOld)
NeverTakenAfterAdvance ==
  \A g, h \in Holds : ~(g < h /\ ~hold[g].stopped /\ Accepted(h)
                        /\ IncarnationOf(hold[g].token) < IncarnationOf(hold[h].token))
NeverAcceptedAfterEnd ==
  \A h \in Holds : ~(Accepted(h) /\ row.held = "own" /\ Ended(row.of))
NeverSwept == \A s, v \in Sessions : ~(CanSweep(s, v) /\ CanLockForUpdate)
NeverSweepHeldBack == \A s, v \in Sessions : ~(CanSweep(s, v) /\ ~CanLockForUpdate)
NeverEndHeldBack == \A s \in Sessions : ~(session[s].state = "expired" /\ HeldBack(s))
NeverMovedFromAdopted ==
  \A s \in Sessions : \A h \in Holds :
    ~(CanMove(s, h) /\ CanUpdate /\ served[row.of].under # row.of)
NeverReaped == \A s \in Sessions : \A h \in Holds : ~(CanReap(s, h) /\ CanLockForUpdate)
NeverReapedFromAdopted ==
  \A s, v \in Sessions : ~(CanReapAdopted(s, v) /\ CanLockForUpdate)
NeverAnsweredByTwo ==
  \A s, v \in Sessions : \A h \in Holds : s = v \/ ~CanAnswer(s, h) \/ ~CanAnswer(v, h)
NeverEnteredLate ==
  \A s \in Sessions : \A h \in Holds :
    ~(entry[s][h].state = "coming" /\ h \in notices[s] /\ HeldBy(h) /\ row.of # s)
=============================================================================
