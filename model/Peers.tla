------------------------------- MODULE Peers -------------------------------
(***************************************************************************)
(* One run of a federation: what peers say, keep, acknowledge and forget,  *)
(* and how they end, while they are killed, their newest snapshot is       *)
(* damaged, a table changes and a sum is falsified. Everybody hears        *)
(* everybody.                                                              *)
(*                                                                         *)
(* Calls are numbered from 0, alike at all peers. Call 0 carries the       *)
(* commitments to the data, call 1 the hash of all commitments, then come  *)
(* masked sums, and the last call carries the hash of all sums.            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Peers,
  Sums,        \* how many masked sums there are
  MaxCrashes,  \* faults in all
  MaxDamage,
  MaxChanges,
  MaxLies,
  Bug          \* "none", or a deliberate mistake that TLC must find

VARIABLES
  status,   \* "up", "down", "refused" (it said why) or "gone" (it has left)
  data,     \* which table the site has
  call,     \* calls that are done
  said,     \* calls that were said: call, or one more
  out,      \* the outbox: what each call said, by number
  first,    \* the first call that the outbox still has
  inbox,    \* inbox[p][q]: what q said in the call under way at p
  bound,    \* the commitments that masks derive from
  sums,     \* the honest sums, or whose falsification they hold
  ack,      \* ack[p][q]: what q has told p that it needs not keep
  receipt,  \* what p tells the others
  told,     \* told[p][q]: p knows that q has seen the end
  disk,     \* the snapshots, newest first, two at most
  answer,   \* what the site's people have got: "none" or the sums
  shown,    \* everything that was masked: who, call, commitments, plain text
  faults    \* how many of each kind have happened

vars == <<status, data, call, said, out, first, inbox, bound, sums, ack,
          receipt, told, disk, answer, shown, faults>>

None == "none"
Nothing == [kind |-> "nothing"]
Compare == 1
Digest == Sums + 2
End == Sums + 3
Masked(c) == c > Compare /\ c < Digest
Others(p) == Peers \ {p}
Least(S) == CHOOSE x \in S : \A y \in S : x <= y
Greatest(S) == CHOOSE x \in S : \A y \in S : x >= y
Empty == [q \in Peers |-> Nothing]
Unbound == [q \in Peers |-> 0]

Init ==
  /\ status = [p \in Peers |-> "up"]
  /\ data = [p \in Peers |-> 1]
  /\ call = [p \in Peers |-> 0]
  /\ said = [p \in Peers |-> 0]
  /\ out = [p \in Peers |-> <<>>]
  /\ first = [p \in Peers |-> 0]
  /\ inbox = [p \in Peers |-> Empty]
  /\ bound = [p \in Peers |-> Unbound]
  /\ sums = [p \in Peers |-> "honest"]
  /\ ack = [p \in Peers |-> [q \in Peers |-> 0]]
  /\ receipt = [p \in Peers |-> 0]
  /\ told = [p \in Peers |-> {}]
  /\ disk = [p \in Peers |-> <<>>]
  /\ answer = [p \in Peers |-> None]
  /\ shown = {}
  /\ faults = [crashes |-> 0, damage |-> 0, changes |-> 0, lies |-> 0]

(* What p says in call c. *)
Content(p, c) ==
  IF c = 0 THEN [kind |-> "commitment", of |-> data[p]]
  ELSE IF c = Compare THEN [kind |-> "hash", of |-> bound[p]]
  ELSE IF c = Digest THEN [kind |-> "digest", of |-> sums[p]]
  ELSE [kind |-> "term", of |-> bound[p]]

(* Before the first masked term goes out, the commitment is on disk. *)
MaySay(p) ==
  \/ call[p] # Compare + 1
  \/ Bug = "masks-forget-the-data"
  \/ disk[p] # <<>> /\ disk[p][1].call >= Compare + 1

(* Masks derive from all commitments. The mistake derives them from the plan
   alone, compares no commitments and does not wait for the disk. *)
Mask(p) == IF Bug = "masks-forget-the-data" THEN Unbound ELSE bound[p]

Say(p) ==
  /\ status[p] = "up" /\ said[p] = call[p] /\ call[p] < End /\ MaySay(p)
  /\ out' = [out EXCEPT ![p] = Append(@, Content(p, call[p]))]
  /\ said' = [said EXCEPT ![p] = @ + 1]
  /\ shown' = IF Masked(call[p])
              THEN shown \cup {[by |-> p, call |-> call[p], mask |-> Mask(p), plain |-> data[p]]}
              ELSE shown
  /\ UNCHANGED <<status, data, call, first, inbox, bound, sums, ack, receipt,
                 told, disk, answer, faults>>

(* The stream from q to p: in order, from the call that p's greeting asks for.
   A cut connection loses nothing that is not asked for again, so that cuts
   are steps that do not happen. *)
Hear(p, q) ==
  LET c == call[p] IN
  /\ p # q /\ status[p] = "up" /\ status[q] = "up"
  /\ inbox[p][q] = Nothing /\ c < End /\ c < said[q] /\ c >= first[q]
  /\ inbox' = [inbox EXCEPT ![p][q] = out[q][c + 1]]
  /\ UNCHANGED <<status, data, call, said, out, first, bound, sums, ack,
                 receipt, told, disk, answer, shown, faults>>

(* A call is done when everybody was heard. Who finds that commitments or sums
   differ refuses, and says so. A falsified sum is accepted here and found at
   the end; signatures, which would find it now, are not in the model. *)
Done(p, lie) ==
  LET c == call[p]
      heard(q) == IF q = p THEN out[p][c + 1] ELSE inbox[p][q]
      same == \A q \in Peers : heard(q) = heard(p)
      refuses == c \in {Compare, Digest} /\ ~same /\ ~(Bug = "sums-not-compared" /\ c = Digest)
                 /\ ~(Bug = "masks-forget-the-data" /\ c = Compare)
  IN
  /\ status[p] = "up" /\ said[p] = c + 1
  /\ \A q \in Others(p) : inbox[p][q] # Nothing
  /\ lie => Masked(c) /\ faults.lies < MaxLies
  /\ faults' = IF lie THEN [faults EXCEPT !.lies = @ + 1] ELSE faults
  /\ sums' = IF lie THEN [sums EXCEPT ![p] = p] ELSE sums
  /\ bound' = IF c = 0 THEN [bound EXCEPT ![p] = [q \in Peers |-> heard(q).of]] ELSE bound
  /\ status' = IF refuses THEN [status EXCEPT ![p] = "refused"] ELSE status
  /\ call' = IF refuses THEN call ELSE [call EXCEPT ![p] = c + 1]
  /\ inbox' = [inbox EXCEPT ![p] = Empty]
  /\ UNCHANGED <<data, said, out, first, ack, receipt, told, disk, answer, shown>>

(* Whom somebody has told that there is no answer refuses too. *)
Follow(p) ==
  /\ status[p] = "up" /\ answer[p] = None
  /\ \E q \in Others(p) : status[q] = "refused"
  /\ status' = [status EXCEPT ![p] = "refused"]
  /\ UNCHANGED <<data, call, said, out, first, inbox, bound, sums, ack,
                 receipt, told, disk, answer, shown, faults>>

Taken(p) ==
  [call |-> call[p], out |-> out[p], first |-> first[p], bound |-> bound[p],
   sums |-> sums[p], ack |-> ack[p], data |-> data[p]]

(* A snapshot between two calls. What lies before the one before it need not
   be kept by anybody: either of the two will do. *)
Snapshot(p) ==
  LET before == disk[p] IN
  /\ status[p] = "up" /\ said[p] = call[p] /\ call[p] > Compare /\ call[p] < End
  /\ IF before = <<>> THEN TRUE ELSE before[1].call < call[p]
  /\ disk' = [disk EXCEPT ![p] = IF before = <<>> THEN <<Taken(p)>> ELSE <<Taken(p), before[1]>>]
  /\ receipt' = [receipt EXCEPT ![p] =
       IF Bug = "receipt-of-newest" THEN call[p]
       ELSE IF before = <<>> THEN 0 ELSE before[1].call]
  /\ UNCHANGED <<status, data, call, said, out, first, inbox, bound, sums,
                 ack, told, answer, shown, faults>>

(* Both files hold the last snapshot; then the answer is written; then comes
   the farewell. *)
Finish(p) ==
  /\ status[p] = "up" /\ call[p] = End /\ said[p] = End
  /\ answer[p] = None \/ receipt[p] < End
  /\ Bug = "silent-return" => answer[p] = None
  /\ disk' = [disk EXCEPT ![p] = <<Taken(p), Taken(p)>>]
  /\ answer' = [answer EXCEPT ![p] = sums[p]]
  /\ receipt' = [receipt EXCEPT ![p] = End]
  /\ UNCHANGED <<status, data, call, said, out, first, inbox, bound, sums,
                 ack, told, shown, faults>>

(* A receipt arrives, and what nobody needs any more is forgotten. *)
Receive(p, q) ==
  LET now == [ack[p] EXCEPT ![q] = receipt[q]] IN
  /\ p # q /\ status[p] = "up" /\ status[q] = "up" /\ receipt[q] > ack[p][q]
  /\ ack' = [ack EXCEPT ![p] = now]
  /\ first' = [first EXCEPT ![p] = Greatest({@, Least({now[o] : o \in Others(p)})})]
  /\ UNCHANGED <<status, data, call, said, out, inbox, bound, sums, receipt,
                 told, disk, answer, shown, faults>>

(* When all have acknowledged the end, and that is on disk, p tells them. *)
Announce(p, q) ==
  /\ p # q /\ status[p] = "up" /\ status[q] = "up" /\ answer[p] # None
  /\ \A o \in Others(p) : ack[p][o] = End
  /\ p \notin told[q]
  /\ told' = [told EXCEPT ![q] = @ \cup {p}]
  /\ disk' = [disk EXCEPT ![p] = <<Taken(p), Taken(p)>>]
  /\ UNCHANGED <<status, data, call, said, out, first, inbox, bound, sums,
                 ack, receipt, answer, shown, faults>>

(* It leaves when each of the others has its receipts and knows that it was
   told, or cannot be reached: then the result is there, and those who come
   back find what they need (`linger`), or finish without. *)
Leave(p) ==
  /\ status[p] = "up" /\ answer[p] # None
  /\ IF Bug = "leaves-at-once" THEN TRUE
     ELSE \A q \in Others(p) :
            \/ status[q] \in {"gone", "refused"}
            \/ ack[p][q] = End /\ (q \in told[p] \/ status[q] # "up")
  /\ status' = [status EXCEPT ![p] = "gone"]
  /\ UNCHANGED <<data, call, said, out, first, inbox, bound, sums, ack,
                 receipt, told, disk, answer, shown, faults>>

Crash(p) ==
  /\ status[p] = "up" /\ faults.crashes < MaxCrashes
  /\ status' = [status EXCEPT ![p] = "down"]
  /\ faults' = [faults EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED <<data, call, said, out, first, inbox, bound, sums, ack,
                 receipt, told, disk, answer, shown>>

(* The table changes while the peer is down. *)
Change(p) ==
  /\ status[p] = "down" /\ faults.changes < MaxChanges
  /\ data' = [data EXCEPT ![p] = 2]
  /\ faults' = [faults EXCEPT !.changes = @ + 1]
  /\ UNCHANGED <<status, call, said, out, first, inbox, bound, sums, ack,
                 receipt, told, disk, answer, shown>>

(* The newest of two snapshots cannot be read any more. *)
Damage(p) ==
  /\ status[p] = "down" /\ Len(disk[p]) = 2 /\ faults.damage < MaxDamage
  /\ disk' = [disk EXCEPT ![p] = <<disk[p][2]>>]
  /\ faults' = [faults EXCEPT !.damage = @ + 1]
  /\ UNCHANGED <<status, data, call, said, out, first, inbox, bound, sums,
                 ack, receipt, told, answer, shown>>

Fresh ==
  [call |-> 0, out |-> <<>>, first |-> 0, bound |-> Unbound, sums |-> "honest",
   ack |-> [q \in Peers |-> 0], data |-> 0]

(* The program runs again: from the newest snapshot. Another table than the
   one that was committed to is refused. *)
Restart(p) ==
  LET s == IF disk[p] = <<>> THEN Fresh ELSE disk[p][1]
      other == disk[p] # <<>> /\ s.data # data[p] /\ s.call < End /\ Bug # "data-not-compared"
  IN
  /\ status[p] = "down"
  /\ status' = [status EXCEPT ![p] = IF other THEN "refused" ELSE "up"]
  /\ call' = [call EXCEPT ![p] = s.call]
  /\ said' = [said EXCEPT ![p] = s.call]
  /\ out' = [out EXCEPT ![p] = s.out]
  /\ first' = [first EXCEPT ![p] = s.first]
  /\ inbox' = [inbox EXCEPT ![p] = Empty]
  /\ bound' = [bound EXCEPT ![p] = s.bound]
  /\ sums' = [sums EXCEPT ![p] = s.sums]
  /\ ack' = [ack EXCEPT ![p] = s.ack]
  /\ receipt' = [receipt EXCEPT ![p] = 0]
  /\ told' = [told EXCEPT ![p] = {}]
  /\ UNCHANGED <<data, disk, answer, shown, faults>>

Works(p) ==
  \/ Say(p) \/ Done(p, FALSE) \/ Follow(p) \/ Snapshot(p) \/ Finish(p) \/ Leave(p)
  \/ \E q \in Peers : Hear(p, q) \/ Receive(p, q) \/ Announce(p, q)

Fault(p) == Crash(p) \/ Change(p) \/ Damage(p) \/ Done(p, TRUE)

(* Nobody waits for ever for what has ended well. *)
AllOver ==
  /\ \A p \in Peers : status[p] \in {"gone", "refused"}
  /\ UNCHANGED vars

Next == (\E p \in Peers : Works(p) \/ Restart(p) \/ Fault(p)) \/ AllOver

Spec == Init /\ [][Next]_vars

(* Links and processes are fair; faults are not owed. *)
FairSpec == Spec /\ \A p \in Peers : WF_vars(Works(p)) /\ WF_vars(Restart(p))

-----------------------------------------------------------------------------
(* Safety *)

TypeOK ==
  /\ \A p \in Peers : call[p] \in 0..End /\ said[p] \in {call[p], call[p] + 1}
  /\ \A p \in Peers : Len(out[p]) = said[p] /\ first[p] \in 0..End

(* An answer is the honest sums, and so the same at all. *)
SameAnswers ==
  \A p, q \in Peers : answer[p] # None /\ answer[q] # None => answer[p] = answer[q]

AnswersAreHonest ==
  MaxLies > 0 => \A p \in Peers : answer[p] # None => answer[p] = "honest"

(* Where p begins when it is started again, should the newest of two snapshots
   be damaged. *)
RestartPoint(p) == IF disk[p] = <<>> THEN 0 ELSE disk[p][Len(disk[p])].call

(* Nobody has forgotten what another may ask for again. *)
NothingNeededIsForgotten ==
  \A p, q \in Peers :
    p # q /\ status[p] \in {"up", "down"} /\ status[q] \in {"up", "down"}
      => first[q] <= RestartPoint(p)

(* A peer that was started again says the same terms again. *)
SaidAlike ==
  \A p, q \in Peers :
    p # q /\ status[p] = "up" /\ inbox[p][q] # Nothing /\ said[q] > call[p] /\ Masked(call[p])
      => inbox[p][q] = out[q][call[p] + 1]

(* No two plain texts under one mask. *)
NoMaskTwice ==
  \A a, b \in shown : a.by = b.by /\ a.call = b.call /\ a.mask = b.mask => a.plain = b.plain

(* Liveness: everybody leaves, or knows that there is no answer. *)
Ends == <>(\A p \in Peers : status[p] \in {"gone", "refused"})

(* Where no table changes and nobody lies, everybody has the answer. *)
AllAnswered == MaxChanges = 0 /\ MaxLies = 0 => <>(\A p \in Peers : answer[p] # None)
=============================================================================
