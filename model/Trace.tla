-------------------------------- MODULE Trace --------------------------------
(***************************************************************************)
(* Whether what two real peers were seen to do is a behaviour of `Peers`.   *)
(* Events is a recorded run (model/traces, by ModelTraceTest): what passed  *)
(* on the wire between them, what their programs knew, and when they were   *)
(* killed, lost a snapshot and came back. Steps that nobody sees happen in  *)
(* between, as the model has them. A run is one of the model's if all of    *)
(* its events can be passed: TLC then finds that NotAccepted does not hold. *)
(***************************************************************************)
EXTENDS Peers, TraceData

VARIABLE at

(* What an event shows of the state in which it happens. *)
Shows(e) ==
  \* A message of a call passes: it has been said.
  \/ e.kind = "part" /\ said[e.by] > e.call
  \* A greeting passes: what it asks for, and from where on it can repeat. What a snapshot before the
  \* newest had is gone from the disk too once the newest knew that nobody needs it; the model keeps it.
  \/ /\ e.kind = "greeting" /\ \A o \in Others(e.by) : e.offers <= RestartPoint(o)
     /\ e.needs >= call[e.by] /\ \A o \in Others(e.by) : e.needs <= Greatest({call[e.by], said[o]})
  \* A receipt passes that the other has already, or is not there to take.
  \/ /\ e.kind = "receipt" /\ receipt[e.by] = e.call
     /\ \A o \in Others(e.by) : ack[o][e.by] >= e.call \/ status[o] # "up"
  \* A farewell passes that the other has already, or is not there to take.
  \/ /\ e.kind = "farewell" /\ answer[e.by] # None
     /\ \A o \in Others(e.by) : ack[e.by][o] = End /\ (e.by \in told[o] \/ status[o] # "up")
  \* Its program goes on after a call.
  \/ e.kind = "done" /\ call[e.by] = e.call /\ said[e.by] = e.call
  \* The answer is handed over.
  \/ e.kind = "answer" /\ answer[e.by] # None

(* What an event does. *)
Does(e) ==
  \/ e.kind = "receipt" /\ receipt[e.by] = e.call /\ \E o \in Others(e.by) : Receive(o, e.by)
  \/ e.kind = "farewell" /\ \E o \in Others(e.by) : Announce(e.by, o)
  \/ e.kind = "left" /\ Leave(e.by)
  \/ e.kind = "killed" /\ Crash(e.by)
  \/ e.kind = "damaged" /\ Damage(e.by)
  \/ e.kind = "back" /\ Restart(e.by) /\ call'[e.by] = e.call

(* The code takes a snapshot between the last call and the end too, one after
   each sum; `Finish` follows at once, and Peers leaves it out. *)
LastSnapshot(p) ==
  /\ status[p] = "up" /\ said[p] = End /\ call[p] = End /\ answer[p] = None
  /\ disk[p] # <<>> /\ disk[p][1].call < End
  /\ disk' = [disk EXCEPT ![p] = <<Taken(p), @[1]>>]
  /\ receipt' = [receipt EXCEPT ![p] = disk[p][1].call]
  /\ UNCHANGED <<status, data, call, said, out, first, inbox, bound, sums,
                 ack, told, answer, shown, faults>>

(* What p does unseen: steps of the one whose event comes next, as the other's
   need nothing that was not seen before. *)
Unseen(p) ==
  \/ Say(p) \/ Done(p, FALSE) \/ Snapshot(p) \/ LastSnapshot(p) \/ Finish(p)
  \/ \E q \in Peers : Hear(p, q) \/ Announce(p, q)

TraceInit == Init /\ at = 1

TraceNext ==
  /\ at <= Len(Events)
  /\ \/ Unseen(Events[at].by) /\ UNCHANGED at
     \/ at' = at + 1 /\ (Does(Events[at]) \/ (Shows(Events[at]) /\ UNCHANGED vars))

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, at>>

NotAccepted == at <= Len(Events)
=============================================================================
