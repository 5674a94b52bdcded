/**
 * Decentralized learning without a server: networks, data, models, theory, algorithms, and their
 * simulation.
 */
@SuppressWarnings("requires-automatic") // EJML and the Java ARPACK have no descriptors.
module ngd.core {
  requires static transitive org.jspecify;
  requires jdk.incubator.vector;
  requires transitive org.apache.commons.rng.api;
  requires org.apache.commons.rng.core;
  requires org.apache.commons.rng.sampling;
  requires org.apache.commons.rng.simple;
  requires org.apache.commons.numbers.gamma;
  requires org.apache.commons.statistics.distribution;
  requires ch.randelshofer.fastdoubleparser;
  requires de.siegmar.fastcsv;
  requires transitive tools.jackson.databind;
  requires tools.jackson.dataformat.yaml;
  requires arpack.combined.all;
  requires ejml.core;
  requires ejml.ddense;

  exports ngd.core;
  exports ngd.core.algorithm;
  exports ngd.core.algorithm.admm;
  exports ngd.core.algorithm.asynchronous;
  exports ngd.core.algorithm.bayesian;
  exports ngd.core.algorithm.compressed;
  exports ngd.core.algorithm.descent;
  exports ngd.core.algorithm.exact;
  exports ngd.core.algorithm.fair;
  exports ngd.core.algorithm.federated;
  exports ngd.core.algorithm.local;
  exports ngd.core.algorithm.personal;
  exports ngd.core.algorithm.pushing;
  exports ngd.core.algorithm.reduced;
  exports ngd.core.answer;
  exports ngd.core.codec;
  exports ngd.core.data;
  exports ngd.core.fit;
  exports ngd.core.formula;
  exports ngd.core.inference;
  exports ngd.core.model;
  exports ngd.core.network;
  exports ngd.core.preparation;
  exports ngd.core.privacy;
  exports ngd.core.question;
  exports ngd.core.random;
  exports ngd.core.rows;
  exports ngd.core.run;
  exports ngd.core.simulation;
  exports ngd.core.theory;
  exports ngd.core.training;
  exports ngd.core.world;

  uses ngd.core.algorithm.AlgorithmDescriptor;
  uses ngd.core.data.TableProvider;
  uses ngd.core.model.LossDescriptor;
  uses ngd.core.training.Trainer;

  provides ngd.core.algorithm.AlgorithmDescriptor with
      ngd.core.algorithm.descent.Ngd.Descriptor,
      ngd.core.algorithm.descent.BalancedNgd.Descriptor,
      ngd.core.algorithm.descent.Dgd.Descriptor,
      ngd.core.algorithm.descent.DPsgd.Descriptor,
      ngd.core.algorithm.exact.D2.Descriptor,
      ngd.core.algorithm.exact.Diging.Descriptor,
      ngd.core.algorithm.pushing.PushDiging.Descriptor,
      ngd.core.algorithm.exact.Extra.Descriptor,
      ngd.core.algorithm.exact.ExactDiffusion.Descriptor,
      ngd.core.algorithm.pushing.PushPull.Descriptor,
      ngd.core.algorithm.pushing.Sgp.Descriptor,
      ngd.core.algorithm.descent.Cfa.Descriptor,
      ngd.core.algorithm.descent.CfaGe.Descriptor,
      ngd.core.algorithm.descent.DualAveraging.Descriptor,
      ngd.core.algorithm.personal.ModelPropagation.Descriptor,
      ngd.core.algorithm.personal.Collaborative.Descriptor,
      ngd.core.algorithm.bayesian.Bayesian.Descriptor,
      ngd.core.algorithm.descent.EarlyStopped.Descriptor,
      ngd.core.algorithm.descent.EarlyStopped.AdaptThenCombine,
      ngd.core.algorithm.asynchronous.AsyncNgd.Descriptor,
      ngd.core.algorithm.asynchronous.AdPsgd.Descriptor,
      ngd.core.algorithm.asynchronous.GoSgd.Descriptor,
      ngd.core.algorithm.federated.FedAvg.Descriptor,
      ngd.core.algorithm.exact.Nids.Descriptor,
      ngd.core.algorithm.exact.AugDgm.Descriptor,
      ngd.core.algorithm.exact.AtcTracking.Descriptor,
      ngd.core.algorithm.exact.SimpleGt.Descriptor,
      ngd.core.algorithm.descent.HeavyBall.Descriptor,
      ngd.core.algorithm.descent.Nesterov.Descriptor,
      ngd.core.algorithm.exact.Abm.Descriptor,
      ngd.core.algorithm.exact.Abn.Descriptor,
      ngd.core.algorithm.descent.QgDsgdm.Descriptor,
      ngd.core.algorithm.local.KGt.Descriptor,
      ngd.core.algorithm.local.LocalDiging.Descriptor,
      ngd.core.algorithm.local.Led.Descriptor,
      ngd.core.algorithm.local.ProxSkip.Descriptor,
      ngd.core.algorithm.exact.WangElia.Descriptor,
      ngd.core.algorithm.admm.DAdmm.Descriptor,
      ngd.core.algorithm.admm.RelaxedAdmm.Descriptor,
      ngd.core.algorithm.admm.Atg.Descriptor,
      ngd.core.algorithm.admm.Dlm.Descriptor,
      ngd.core.algorithm.admm.Dinno.Descriptor,
      ngd.core.algorithm.admm.LtAdmm.Descriptor,
      ngd.core.algorithm.admm.LtAdmm.Reduced,
      ngd.core.algorithm.reduced.GtSaga.Descriptor,
      ngd.core.algorithm.reduced.Anchored.Svrg,
      ngd.core.algorithm.reduced.Anchored.Sarah,
      ngd.core.algorithm.reduced.GtVr.Descriptor,
      ngd.core.algorithm.federated.FedProx.Descriptor,
      ngd.core.algorithm.federated.FedNova.Descriptor,
      ngd.core.algorithm.federated.FedAdam.Descriptor,
      ngd.core.algorithm.federated.FedAdam.Yogi,
      ngd.core.algorithm.federated.FedAdam.Adagrad,
      ngd.core.algorithm.federated.FedDyn.Descriptor,
      ngd.core.algorithm.federated.FedLt.Descriptor,
      ngd.core.algorithm.federated.FedPd.Descriptor,
      ngd.core.algorithm.federated.Scaffold.Descriptor,
      ngd.core.algorithm.federated.Scaffnew.Descriptor,
      ngd.core.algorithm.compressed.Choco.Descriptor,
      ngd.core.algorithm.compressed.Beer.Descriptor,
      ngd.core.algorithm.compressed.Lead.Descriptor,
      ngd.core.algorithm.fair.DrDsgd.Descriptor,
      ngd.core.algorithm.fair.Chi2Dro.Descriptor,
      ngd.core.algorithm.personal.Mocha.Descriptor,
      ngd.core.algorithm.personal.Dada.Descriptor;
}
