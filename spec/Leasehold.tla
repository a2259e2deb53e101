------------------------------ MODULE Leasehold ------------------------------
(***************************************************************************)
(* The lease protocol for one key: a store that grants, holders that       *)
(* believe, and targets that check the token themselves.                   *)
(*                                                                         *)
(* What is modelled                                                        *)
(*   - acquire, renew, release, hand over, revoke (until the old expiry,   *)
(*     and `now`), silent expiry, and takeover after it;                   *)
(*   - answers and writes that are delayed, repeated, reordered or lost;   *)
(*   - a holder that pauses for any length of time between deciding to     *)
(*     write and the write landing;                                        *)
(*   - a high-water-mark target outside the store, which a successor seals *)
(*     and then reads before it works;                                     *)
(*   - an at-effect target inside the store, whose check and commit are    *)
(*     two steps with a lock between them;                                 *)
(*   - a store restored from an earlier copy while targets and holders go  *)
(*     on, then the incarnation advanced with a hold-off.                  *)
(*                                                                         *)
(* What is abstracted                                                      *)
(*   - Time. Every deadline is a timer that counts down to 0, so time is   *)
(*     not bounded and equal situations at different hours are one state.  *)
(*     Holder and store tick together; Drift is how much later than its    *)
(*     deadline a slow holder may still believe.                           *)
(*   - Requests. A request on a grant may land at any moment while it can  *)
(*     still change something; that is delay, repetition and loss in one.  *)
(*     An answer counts from the landing, not from an earlier sending: the *)
(*     earlier sending would only give less trust.                         *)
(*   - A holder that is told `Lost` early just trusts for less time, which *)
(*     is always allowed: nothing forces a holder to act. A process that   *)
(*     restarts is another member of Holders.                              *)
(*   - Left out: request ids and abandon (I8), stall (I10), purge and the  *)
(*     floor, the barred instance after a revoke, guarded tables,          *)
(*     durability (I7), and whatever must happen in time (I9, I11, I12).   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Holders,          \* instances, interchangeable
  Nobody,           \* the record belongs to no grant
  Ttl,              \* ticks from grant or renewal to expiry
  Margin,           \* ticks a holder subtracts from what it was told
  Drift,            \* ticks a slow holder may be late by
  HoldOff,          \* ticks without any grant after an incarnation advance
  MaxTokens,        \* how many tokens may be issued in all, void ones included
  MaxRestores,      \* how often the store may be restored from its copy
  Revocations       \* which revocations an operator may order: "revoked", "revoked now"

\* Each switch is TRUE in the protocol; FALSE is a design that looks fine and is not.
CONSTANTS
  Fence,            \* the mark target compares the token with its mark
  Seal,             \* a successor seals the mark target before it reads it
  LockedCheck,      \* the at-effect check locks the record until commit
  Incarnation,      \* a restored store advances its incarnation before it serves
  Witness,          \* the advance goes above what was seen outside the store
  StoreClock,       \* expiry is judged by the store's clock, not by a contender's fast one
  TrustFromSending, \* the deadline counts from the sending, not from the answer
  RevokeEnds,       \* a revoked grant stops being current
  Sticky            \* a rollback that was found is not forgotten before the advance

ASSUME {Fence, Seal, LockedCheck, Incarnation, Witness, StoreClock, TrustFromSending,
        RevokeEnds, Sticky} \subseteq BOOLEAN
ASSUME Nobody \notin Holders /\ Margin <= Ttl /\ Drift <= Ttl
ASSUME Revocations \subseteq {"revoked", "revoked now"}

VARIABLES
  rec,      \* the store's record of the key
  copy,     \* an earlier record, kept as a backup
  restores, \* how often the copy was restored
  witness,  \* the highest incarnation seen, remembered outside the store
  refused,  \* the witness has found that the store went back, and nothing is served
  holder,   \* what each holder believes and how far its work is
  answers,  \* Granted and Renewed answers under way
  writes,   \* decided writes under way to the targets
  mark,     \* the mark target: the highest token it admitted or was sealed with
  reader,   \* the highest token whose holder has read the mark target
  open,     \* at-effect transactions between check and commit
  history,  \* ghost: every token ever issued, in the order of issue
  breach    \* ghost: which forbidden changes took effect

vars == <<rec, copy, restores, witness, refused, holder, answers, writes, mark, reader, open,
          history, breach>>

Symmetry == Permutations(Holders)

-----------------------------------------------------------------------------
(* Tokens: the incarnation in front, then the counter. *)

Token(incarnation, counter) == incarnation * (MaxTokens + 1) + counter
MaxToken == Token(MaxRestores, MaxTokens)
RecToken == Token(rec.incarnation, rec.counter)
Max(a, b) == IF a > b THEN a ELSE b
Down(n) == IF n > 0 THEN n - 1 ELSE 0

\* Current: the record's token, and not ended. Silent expiry alone does not end a grant.
Current(h, t) == rec.owner = h /\ RecToken = t

\* Commands that end or replace a grant wait for open at-effect checks; renewals do not.
HeldBack == LockedCheck /\ open # {}

\* How a grant ended: "no" while it has not; "void" marks a token that is no grant.
Ends == {"no", "void", "released", "handed over", "superseded", "revoked", "revoked now",
         "lost"}
Entry(h, t, end, left) == [to |-> h, token |-> t, end |-> end, left |-> left]

\* A grant's own timer stays in the history where nobody else may have the key before it is
\* down: after a takeover, and after a revocation until the old expiry.
Ended(how) ==
  [i \in DOMAIN history |->
     IF history[i].end = "no" /\ Current(history[i].to, history[i].token)
     THEN [history[i] EXCEPT
            !.end = how, !.left = IF how \in {"superseded", "revoked"} THEN @ ELSE 0]
     ELSE history[i]]

\* What an answer gives that lands now: the remaining, less the margin; a slow clock adds to it.
TrustGiven == Ttl - Margin + Drift

\* A fresher answer for the same grant is worth more, so the older one need not be kept.
Answer(h, t) ==
  {a \in answers : a.to # h \/ a.token # t} \cup {[to |-> h, token |-> t, trust |-> TrustGiven]}

-----------------------------------------------------------------------------
(* The store. *)

EmptyRecord == [incarnation |-> 0, counter |-> 0, owner |-> Nobody, left |-> 0, closed |-> 0]

\* Free, or expired in store time. The answer may get lost: the grant stands all the same.
Acquire(h) ==
  /\ ~refused
  /\ rec.owner = Nobody \/ rec.left <= (IF StoreClock THEN 0 ELSE Drift)
  /\ rec.closed = 0 /\ ~HeldBack /\ Len(history) < MaxTokens
  /\ rec' = [rec EXCEPT !.counter = @ + 1, !.owner = h, !.left = Ttl]
  /\ answers' = Answer(h, RecToken + 1)
  /\ history' = Append(Ended("superseded"), Entry(h, RecToken + 1, "no", Ttl))
  /\ UNCHANGED <<copy, restores, witness, refused, holder, writes, mark, reader, open, breach>>

\* Also stands for a repeated acquire, which is answered with the remaining of now.
Renew(h) ==
  /\ ~refused
  /\ rec.owner = h /\ rec.left > 0 /\ rec.closed = 0
  /\ rec' = [rec EXCEPT !.left = Ttl]
  /\ answers' = Answer(h, RecToken)
  /\ history' = [i \in DOMAIN history |->
       IF history[i].token = RecToken /\ history[i].to = h /\ history[i].end = "no"
       THEN [history[i] EXCEPT !.left = Ttl] ELSE history[i]]
  /\ UNCHANGED <<copy, restores, witness, refused, holder, writes, mark, reader, open, breach>>

\* The holder has stopped before it sent the command, which lands now, later or never.
Release(h) ==
  /\ ~refused
  /\ Current(h, holder[h].token) /\ holder[h].phase = "stopped" /\ ~HeldBack
  /\ rec' = [rec EXCEPT !.owner = Nobody, !.left = 0]
  /\ history' = Ended("released")
  /\ UNCHANGED <<copy, restores, witness, refused, holder, answers, writes, mark, reader,
                 open, breach>>

\* No free moment between. No answer goes to the heir: it trusts from its first Renewed on.
HandOver(h, heir) ==
  /\ ~refused
  /\ h # heir /\ Len(history) < MaxTokens
  /\ Current(h, holder[h].token) /\ holder[h].phase = "stopped" /\ ~HeldBack
  /\ rec' = [rec EXCEPT !.counter = @ + 1, !.owner = heir, !.left = Ttl]
  /\ history' = Append(Ended("handed over"), Entry(heir, RecToken + 1, "no", Ttl))
  /\ UNCHANGED <<copy, restores, witness, refused, holder, answers, writes, mark, reader,
                 open, breach>>

\* The counter advances to a void token that belongs to no grant. The key stays closed until
\* the old expiry, or opens at once and relies on the fence alone.
Revoke(how) ==
  /\ ~refused
  /\ rec.owner # Nobody /\ rec.closed = 0 /\ ~HeldBack /\ Len(history) < MaxTokens
  /\ rec' = [rec EXCEPT
       !.counter = IF RevokeEnds THEN @ + 1 ELSE @,
       !.owner = IF RevokeEnds THEN Nobody ELSE @,
       !.left = IF RevokeEnds THEN 0 ELSE @,
       !.closed = IF how = "revoked" THEN rec.left ELSE 0]
  /\ history' = IF RevokeEnds
                THEN Append(Ended(how), Entry(Nobody, RecToken + 1, "void", 0))
                ELSE Ended(how)
  /\ UNCHANGED <<copy, restores, witness, refused, holder, answers, writes, mark, reader,
                 open, breach>>

Tick ==
  /\ rec' = [rec EXCEPT !.left = Down(@), !.closed = Down(@)]
  /\ copy' = [copy EXCEPT !.left = Down(@), !.closed = Down(@)]
  /\ holder' = [h \in Holders |-> [holder[h] EXCEPT !.trust = Down(@)]]
  /\ answers' = IF TrustFromSending
                THEN {[a EXCEPT !.trust = @ - 1] : a \in {b \in answers : b.trust > 1}}
                ELSE answers
  /\ history' = [i \in DOMAIN history |-> [history[i] EXCEPT !.left = Down(@)]]
  /\ UNCHANGED <<restores, witness, refused, writes, mark, reader, open, breach>>

-----------------------------------------------------------------------------
(* Rollback: the store goes back to its copy; targets, holders and messages do not. *)

\* A copy may be taken at any moment, and restored more than once. Before the first there is the
\* empty store. The advance ends the copy's grant and puts a higher incarnation in front of its
\* counter, so copies of one incarnation behave alike and the emptiest stands for them all.
Copied(r) == IF Incarnation /\ Sticky THEN [EmptyRecord EXCEPT !.incarnation = r.incarnation] ELSE r

TakeCopy ==
  /\ ~refused
  /\ restores < MaxRestores
  /\ copy' = Copied(rec)
  /\ UNCHANGED <<rec, restores, witness, refused, holder, answers, writes, mark, reader, open,
                 history,
                 breach>>

Advanced(old) ==
  LET seen == IF Witness THEN Max(old.incarnation, witness) ELSE old.incarnation
  IN [old EXCEPT !.incarnation = seen + 1, !.owner = Nobody, !.left = 0, !.closed = HoldOff]

Lost == [i \in DOMAIN history |-> IF history[i].end = "no"
           THEN [history[i] EXCEPT !.end = "lost", !.left = 0] ELSE history[i]]

\* Open transactions die with the restart. With Incarnation nothing is served before the
\* advance: a witness refuses the store until then, so that restore and advance are one step.
\* Without it the restored store just goes on.
Restore ==
  /\ restores < MaxRestores /\ ~refused
  /\ restores' = restores + 1
  /\ copy' = IF restores' = MaxRestores THEN EmptyRecord ELSE copy
  /\ open' = {}
  /\ rec' = IF Incarnation /\ Sticky THEN Advanced(copy) ELSE copy
  /\ refused' = (Incarnation /\ ~Sticky)
  /\ witness' = Max(witness, rec'.incarnation)
  /\ history' = IF Incarnation /\ Sticky THEN Lost ELSE history
  /\ UNCHANGED <<holder, answers, writes, mark, reader, breach>>

\* Where a refusal can be forgotten, restore and advance are two steps.
Advance ==
  /\ refused /\ refused' = FALSE
  /\ rec' = Advanced(rec)
  /\ witness' = Max(witness, rec'.incarnation)
  /\ history' = Lost
  /\ UNCHANGED <<copy, restores, holder, answers, writes, mark, reader, open, breach>>

\* The log has come past the position at which the loss was seen, and nothing tells any more.
Forget ==
  /\ refused /\ refused' = FALSE
  /\ UNCHANGED <<rec, copy, restores, witness, holder, answers, writes, mark, reader, open,
                 history, breach>>

-----------------------------------------------------------------------------
(* Holders. *)

Trusts(h) == holder[h].trust > 0

\* An answer arrives, perhaps not for the first time. The deadline only moves forward, and
\* whoever has stopped a grant does not take it up again.
Receive(a) ==
  /\ \/ a.token > holder[a.to].token
     \/ /\ a.token = holder[a.to].token /\ a.trust > holder[a.to].trust
        /\ holder[a.to].phase # "stopped"
  /\ holder' = [holder EXCEPT ![a.to] =
       [token |-> a.token, trust |-> a.trust,
        phase |-> IF a.token > @.token THEN "new" ELSE @.phase]]
  /\ UNCHANGED <<rec, copy, restores, witness, refused, answers, writes, mark, reader, open,
                 history,
                 breach>>

\* The seal raises the mark to the successor's own token. It may land after a pause, so it asks
\* for no trust; a target that has seen a higher token refuses it.
SealMark(h) ==
  /\ Seal /\ holder[h].phase = "new" /\ holder[h].token >= mark
  /\ mark' = holder[h].token
  /\ holder' = [holder EXCEPT ![h].phase = "sealed"]
  /\ UNCHANGED <<rec, copy, restores, witness, refused, answers, writes, reader, open,
                 history, breach>>

\* From here on the work rests on what was read.
ReadMark(h) ==
  /\ holder[h].token > 0 /\ holder[h].phase = (IF Seal THEN "sealed" ELSE "new")
  /\ holder' = [holder EXCEPT ![h].phase = "working"]
  /\ reader' = Max(reader, holder[h].token)
  /\ UNCHANGED <<rec, copy, restores, witness, refused, answers, writes, mark, open, history,
                 breach>>

\* The holder looks at its trust and decides to write. Then it may pause for as long as it likes.
Decide(h) ==
  /\ Trusts(h) /\ holder[h].phase = "working"
  /\ writes' = writes \cup {[by |-> h, token |-> holder[h].token]}
  /\ UNCHANGED <<rec, copy, restores, witness, refused, holder, answers, mark, reader, open,
                 history,
                 breach>>

\* The work ends (the gap choice) before release or hand over is sent.
Stop(h) ==
  /\ holder[h].token > 0 /\ holder[h].phase # "stopped"
  /\ holder' = [holder EXCEPT ![h].phase = "stopped", ![h].trust = 0]
  /\ UNCHANGED <<rec, copy, restores, witness, refused, answers, writes, mark, reader, open,
                 history,
                 breach>>

-----------------------------------------------------------------------------
(* The high-water-mark target, outside the store. *)

\* A write lands: now, much later, twice or never. A write below the mark is refused and
\* changes nothing, so the refusal is no step of its own.
Land(w) ==
  /\ Fence => w.token >= mark
  /\ mark' = Max(mark, w.token)
  /\ breach' = breach \cup (IF w.token < mark THEN {"stale"} ELSE {})
                      \cup (IF w.token < reader THEN {"overrun"} ELSE {})
  /\ UNCHANGED <<rec, copy, restores, witness, refused, holder, answers, writes, reader, open,
                 history>>

\* Where the record's token is no grant's, an operator may seal with it: the void token of a
\* revocation or an advance. (Or the token of a released grant, which seals out its elders.)
SealVoid ==
  /\ ~refused /\ rec.owner = Nobody /\ RecToken > mark
  /\ mark' = RecToken
  /\ UNCHANGED <<rec, copy, restores, witness, refused, holder, answers, writes, reader, open,
                 history,
                 breach>>

-----------------------------------------------------------------------------
(* The at-effect target, in the store: check and change are one transaction. *)

Check(w) ==
  /\ ~refused
  /\ Current(w.by, w.token)
  /\ open' = open \cup {w}
  /\ UNCHANGED <<rec, copy, restores, witness, refused, holder, answers, writes, mark, reader,
                 history,
                 breach>>

\* Aborting looks the same, but for the change.
Commit(w) ==
  /\ open' = open \ {w}
  /\ breach' = breach \cup (IF Current(w.by, w.token) THEN {} ELSE {"not current"})
  /\ UNCHANGED <<rec, copy, restores, witness, refused, holder, answers, writes, mark, reader,
                 history>>

-----------------------------------------------------------------------------
Init ==
  /\ rec = EmptyRecord /\ copy = EmptyRecord /\ restores = 0 /\ witness = 0
  /\ refused = FALSE
  /\ holder = [h \in Holders |-> [token |-> 0, trust |-> 0, phase |-> "new"]]
  /\ answers = {} /\ writes = {} /\ mark = 0 /\ reader = 0 /\ open = {}
  /\ history = <<>> /\ breach = {}

Next ==
  \/ Tick \/ TakeCopy \/ Restore \/ Advance \/ Forget \/ SealVoid
  \/ \E how \in Revocations : Revoke(how)
  \/ \E h \in Holders : Acquire(h) \/ Renew(h) \/ Release(h)
  \/ \E h \in Holders : \E heir \in Holders : HandOver(h, heir)
  \/ \E h \in Holders : SealMark(h) \/ ReadMark(h) \/ Decide(h) \/ Stop(h)
  \/ \E a \in answers : Receive(a)
  \/ \E w \in writes : Land(w) \/ Check(w)
  \/ \E w \in open : Commit(w)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Invariants, named as in the protocol. *)

Records == [incarnation : 0..MaxRestores, counter : 0..MaxTokens,
            owner : Holders \cup {Nobody}, left : 0..Ttl, closed : 0..Max(Ttl, HoldOff)]
Tokens == 0..MaxToken

TypeOK ==
  /\ rec \in Records /\ copy \in Records
  /\ restores \in 0..MaxRestores /\ witness \in 0..MaxRestores /\ refused \in BOOLEAN
  /\ holder \in [Holders -> [token : Tokens, trust : 0..TrustGiven,
                             phase : {"new", "sealed", "working", "stopped"}]]
  /\ answers \subseteq [to : Holders, token : Tokens, trust : 1..TrustGiven]
  /\ writes \subseteq [by : Holders, token : Tokens] /\ open \subseteq writes
  /\ mark \in Tokens /\ reader \in Tokens
  /\ \A i \in DOMAIN history : history[i] \in
       [to : Holders \cup {Nobody}, token : Tokens, end : Ends, left : 0..Ttl]
  /\ breach \subseteq {"stale", "overrun", "not current"}

Grants == {i \in DOMAIN history : history[i].end # "void"}

Unexpired == {i \in Grants : history[i].end \in {"no", "superseded"} /\ history[i].left > 0}

\* At any store time a key has at most one unexpired grant. One that was taken over counts until
\* its own expiry: a takeover must have waited for that.
I1_OneUnexpiredGrant == Cardinality(Unexpired) <= 1

\* Tokens strictly increase through release, expiry, revocation and a restored copy. Void
\* tokens count as issued.
I2_TokensIncrease ==
  \A i, j \in DOMAIN history : i < j => history[i].token < history[j].token

\* A grant that has ended never becomes valid again.
I3_EndedStaysEnded ==
  \A i \in Grants : history[i].end # "no" => ~Current(history[i].to, history[i].token)

\* Once a target has admitted or been sealed with t, no change below t takes effect there.
I4_NoStaleChange == "stale" \notin breach

\* What a successor read at its start is not changed later by an older token: "new owner
\* started" is not "old owner stopped".
I4_SealedReadStands == "overrun" \notin breach

\* At effect: a change is applied only if its grant is current at the moment of commit.
I5_CurrentAtCommit == "not current" \notin breach

GrantsTo(h) == {i \in Grants : history[i].to = h /\ history[i].token = holder[h].token}

\* A holder stops believing before the store does. Excepted: revoke `now`, incarnation advance.
I6_TrustWithinGrant ==
  \A h \in Holders : Trusts(h) =>
    \E i \in GrantsTo(h) : history[i].end \in {"revoked now", "lost"} \/ history[i].left > 0

\* So no two holders believe at once, unless one was revoked `now`. The hold-off carries this
\* across an incarnation advance, as long as no lost grant had a longer ttl than the hold-off.
I6_OneBeliever ==
  \A g, h \in Holders : (g # h /\ Trusts(g) /\ Trusts(h)) =>
    \E i \in GrantsTo(g) \cup GrantsTo(h) : history[i].end = "revoked now"

-----------------------------------------------------------------------------
(* Reachability: each says that something never happens, and must be violated. *)

EndedAs(how) == \E i \in DOMAIN history : history[i].end = how
Works(h) == Trusts(h) /\ holder[h].phase = "working"

NeverTakenOver ==
  \A i, j \in Grants : ~(i < j /\ history[i].end = "superseded"
                         /\ history[i].to # history[j].to /\ Works(history[j].to))
NeverRefused == \A w \in writes : ~(w.token < mark /\ w.token < reader)
NeverGrantedAfterRestore ==
  ~(EndedAs("lost") /\ \E h \in Holders : Works(h) /\ Current(h, holder[h].token))
NeverHandedOver ==
  ~(EndedAs("handed over") /\ \E h \in Holders : Works(h) /\ Current(h, holder[h].token))
NeverWrittenAfterSeal ==
  \A v, w \in writes : ~(v.by # w.by /\ v.token < w.token /\ mark = w.token)
NeverRevokedWhileTrusted ==
  ~(EndedAs("revoked") /\ rec.closed > 0 /\ \E h \in Holders : Works(h))
NeverTwoBelievers == \A g, h \in Holders : g = h \/ ~Works(g) \/ ~Works(h)
NeverHeldBack == ~(HeldBack /\ rec.left = 0)
=============================================================================
