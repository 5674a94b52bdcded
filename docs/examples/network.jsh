// What a circle does to an estimate: jshell --class-path CLASSPATH docs/examples/network.jsh
import ngd.core.network.*
var circle = Diagnosis.of(new Topology.Circle(8, 2), new Weights.Uniform())
System.out.println("irreducible: " + circle.irreducible())
System.out.println("SE(W): " + circle.se())
/exit
