----------------------------- MODULE Questions -----------------------------
(***************************************************************************)
(* Questions in line at a standing federation. Statements (a question, a   *)
(* site's decision, a site's end of it) are signed, immutable and only     *)
(* become more; they spread in any order. A site begins the first few of   *)
(* all questions that every site takes part in, in the order in which they *)
(* were asked; an answer needs all sites at the same question.             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Sites,
  Last,        \* questions are 1..Last, in the order in which they were asked
  AtOnce,      \* how many a site has under way
  MaxCrashes,
  Bug          \* "none", or a deliberate mistake that TLC must find

VARIABLES
  asked,    \* questions that somebody has asked
  board,    \* board[s]: the statements that s has on disk
  running,  \* running[s]: the questions under way at s
  crashes

vars == <<asked, board, running, crashes>>

Questions == 1..Last
Ask(q) == [kind |-> "asked", question |-> q, by |-> "asker"]
Yes(q, s) == [kind |-> "yes", question |-> q, by |-> s]
No(q, s) == [kind |-> "no", question |-> q, by |-> s]
Ended(q, s) == [kind |-> "ended", question |-> q, by |-> s]

Known(s, q) == Ask(q) \in board[s]
Accepted(s, q) == \A t \in Sites : Yes(q, t) \in board[s]
Refused(s, q) == \E t \in Sites : No(q, t) \in board[s]
Over(s, q) == \A t \in Sites : Ended(q, t) \in board[s]

(* All that every site takes part in and that is not over, as s knows it. *)
Open(s) == {q \in Questions : Known(s, q) /\ Accepted(s, q) /\ ~Over(s, q)}

(* The order is that of asking; the mistake is each site's own. *)
Reversed(s) == Bug = "order-of-arrival" /\ s = CHOOSE t \in Sites : TRUE
Before(s, q) == {o \in Open(s) : IF Reversed(s) THEN o > q ELSE o < q}
Due(s, q) == q \in Open(s) /\ Cardinality(Before(s, q)) < AtOnce

Init ==
  /\ asked = {}
  /\ board = [s \in Sites |-> {}]
  /\ running = [s \in Sites |-> {}]
  /\ crashes = 0

(* Questions may be asked at any site, several at once, heard in any order. *)
AskAt(s, q) ==
  /\ q \notin asked
  /\ asked' = asked \cup {q}
  /\ board' = [board EXCEPT ![s] = @ \cup {Ask(q)}]
  /\ UNCHANGED <<running, crashes>>

Spread(s, t) ==
  /\ s # t /\ \E news \in board[s] \ board[t] :
       board' = [board EXCEPT ![t] = @ \cup {news}]
  /\ UNCHANGED <<asked, running, crashes>>

(* The first question may be refused by anybody; a decision is made once. *)
Decide(s, q) ==
  /\ Known(s, q) /\ Yes(q, s) \notin board[s] /\ No(q, s) \notin board[s]
  /\ \E said \in {Yes(q, s)} \cup (IF q = 1 THEN {No(q, s)} ELSE {}) :
       board' = [board EXCEPT ![s] = @ \cup {said}]
  /\ UNCHANGED <<asked, running, crashes>>

(* Places in the line are counted, not what is under way: a site that has
   begun a later question before it knew of an earlier one begins that too.
   Otherwise two sites could wait for each other's second. *)
Begin(s, q) ==
  /\ Due(s, q) /\ q \notin running[s] /\ Ended(q, s) \notin board[s]
  /\ Bug = "counts-what-runs" => Cardinality(running[s]) < AtOnce
  /\ running' = [running EXCEPT ![s] = @ \cup {q}]
  /\ UNCHANGED <<asked, board, crashes>>

(* Masked sums need every site: one has its answer when all have begun, or
   have it already. *)
Answer(s, q) ==
  /\ q \in running[s]
  /\ \A t \in Sites : q \in running[t] \/ Ended(q, t) \in board[t]
  /\ board' = [board EXCEPT ![s] = @ \cup {Ended(q, s)}]
  /\ running' = [running EXCEPT ![s] = @ \ {q}]
  /\ UNCHANGED <<asked, crashes>>

(* What is under way is gone, what is on disk stays. *)
Crash(s) ==
  /\ crashes < MaxCrashes
  /\ crashes' = crashes + 1
  /\ running' = [running EXCEPT ![s] = {}]
  /\ board' = IF Bug = "statements-in-memory" THEN [board EXCEPT ![s] = {}] ELSE board
  /\ UNCHANGED asked

Works(s) ==
  \/ \E q \in Questions : Decide(s, q) \/ Begin(s, q) \/ Answer(s, q)
  \/ \E t \in Sites : Spread(t, s)

Next == \E s \in Sites : Works(s) \/ Crash(s) \/ \E q \in Questions : AskAt(s, q)

Spec == Init /\ [][Next]_vars /\ \A s \in Sites : WF_vars(Works(s))

-----------------------------------------------------------------------------
(* Nothing is under way that somebody refuses. *)
NoneRefusedRuns == \A s \in Sites : \A q \in running[s] : ~\E t \in Sites : No(q, t) \in board[t]

(* A site says one thing about a question, for ever. *)
DecidedOnce ==
  \A s, t, u \in Sites : \A q \in Questions : ~(Yes(q, u) \in board[s] /\ No(q, u) \in board[t])

(* Two sites that know the same have the same questions due. *)
SameOrder ==
  \A s, t \in Sites : board[s] = board[t] =>
    {q \in Questions : Due(s, q)} = {q \in Questions : Due(t, q)}

(* Every question that was asked ends: answered everywhere, or refused. *)
AllEnd ==
  \A q \in Questions :
    q \in asked ~> \/ \A s \in Sites : Over(s, q)
                   \/ \A s \in Sites : Refused(s, q)
=============================================================================
