package ngd.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.List;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Part;
import org.junit.jupiter.api.Test;

/** Oracle: the bytes that were cut into pieces; the rules of the protocol, one by one. */
class AssemblerTest {
  private static final Limits LIMITS = new Limits(1000, 64, 1 << 20);
  private final Assembler assembler = new Assembler(LIMITS, false, 5);

  private static Part.Builder part(long call, long length, long offset, int size) {
    return Part.newBuilder()
        .setCall(call)
        .setKind(Kind.MIX)
        .setLength(length)
        .setOffset(offset)
        .setBytes(ByteString.copyFrom(new byte[size]));
  }

  private void refused(Part.Builder part, Reason reason) {
    assertThatThrownBy(() -> assembler.accept(part.build()))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  @Test
  void accept_piecesInOrder_areOneMessage() throws Refused {
    List<ByteString> pieces =
        NumberCodec.FLOAT64.encode(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1, 9, LIMITS);
    assertThat(pieces).hasSize(2);
    assertThat(assembler.accept(part(5, 72, 0, 0).setBytes(pieces.get(0)).build())).isNull();
    Message message = assembler.accept(part(5, 72, 64, 0).setBytes(pieces.get(1)).build());
    assertThat(message).isNotNull();
    double[] numbers = new double[10];
    NumberCodec.FLOAT64.decode(message, numbers, 1, 9, 100);
    assertThat(numbers).containsExactly(0, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assertThat(assembler.expected()).isEqualTo(6);
  }

  @Test
  void accept_anotherCall_isReplayedOrFuture() {
    refused(part(4, 8, 0, 8), Reason.REPLAYED);
    refused(part(0, 8, 0, 8), Reason.REPLAYED);
    refused(part(6, 8, 0, 8), Reason.FUTURE);
    refused(part(-1, 8, 0, 8), Reason.FUTURE);
  }

  @Test
  void accept_tenGigabytes_isRefusedBeforeAnythingIsKept() {
    refused(part(5, 10_000_000_000L, 0, 8), Reason.LENGTH);
    refused(part(5, -1, 0, 8), Reason.LENGTH);
    refused(part(5, 1001, 0, 8), Reason.LENGTH);
  }

  @Test
  void accept_piecesThatDoNotFit_areRefused() throws Refused {
    refused(part(5, 16, 8, 8), Reason.LENGTH);
    refused(part(5, 8, 0, 16), Reason.LENGTH);
    refused(part(5, 16, 0, 7), Reason.LENGTH);
    refused(part(5, 16, 0, 0), Reason.LENGTH);
    assertThat(assembler.accept(part(5, 16, 0, 8).build())).isNull();
    refused(part(5, 24, 8, 8), Reason.LENGTH);
    refused(part(5, 16, 0, 8), Reason.LENGTH);
    refused(part(5, 16, 8, 8).setKind(Kind.PUSH), Reason.LENGTH);
  }

  @Test
  void accept_unknownKind_isRefused() {
    refused(part(5, 8, 0, 8).setKind(Kind.NOTHING), Reason.KIND);
    refused(part(5, 8, 0, 8).setKindValue(99), Reason.KIND);
  }

  /** What this peer has said that it will not ask for may be missing, and nothing else. */
  @Test
  void accept_callsDoneWithout_maySkipAheadSoFar() throws Refused {
    assembler.doWithout(8);
    assertThat(assembler.needed()).isEqualTo(8);
    assertThat(assembler.accept(part(7, 8, 0, 8).build())).isNotNull();
    refused(part(9, 8, 0, 8), Reason.FUTURE);
    refused(part(6, 8, 0, 8), Reason.REPLAYED);
    assertThat(assembler.accept(part(8, 8, 0, 8).build())).isNotNull();
    refused(part(10, 8, 0, 8), Reason.FUTURE);
  }

  /** Letters may be lost, and are never repeated. */
  @Test
  void accept_letters_maySkipAhead() throws Refused {
    Assembler letters = new Assembler(LIMITS, true, 0);
    assertThat(letters.accept(part(7, 8, 0, 8).setKind(Kind.LETTER).build())).isNotNull();
    assertThatThrownBy(() -> letters.accept(part(7, 8, 0, 8).setKind(Kind.LETTER).build()))
        .isInstanceOf(Refused.class);
  }

  @Test
  void decode_numbersThatAreNone_areRefused() {
    double[][] cases = {{Double.NaN}, {Double.POSITIVE_INFINITY}, {1e101}, {1, 2}};
    Reason[] reasons = {Reason.NOT_FINITE, Reason.NOT_FINITE, Reason.NORM, Reason.DIMENSION};
    for (int i = 0; i < cases.length; i++) {
      Message message =
          new Message(
              5, Kind.MIX, 0, 0, NumberCodec.FLOAT64.encode(cases[i], 0, cases[i].length, LIMITS));
      Reason reason = reasons[i];
      assertThatThrownBy(() -> NumberCodec.FLOAT64.decode(message, new double[1], 0, 1, 1e100))
          .isInstanceOfSatisfying(
              Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
  }

  @Test
  void decode_float32_isTheNearestFloat() throws Refused {
    double[] numbers = {Math.PI, -1e-30, 0};
    Message message =
        new Message(5, Kind.MIX, 0, 0, NumberCodec.FLOAT32.encode(numbers, 0, 3, LIMITS));
    assertThat(message.length()).isEqualTo(12);
    double[] found = new double[3];
    NumberCodec.FLOAT32.decode(message, found, 0, 3, 1e100);
    assertThat(found).containsExactly((float) Math.PI, -1e-30f, 0);
  }
}
