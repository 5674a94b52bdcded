package ngd.peer.standing;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.file.YamlTree;
import ngd.core.run.JsonObject;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.wire.proto.Signed;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A statement with its signer.
 *
 * @param statement what it says
 * @param signed the same as it travels
 */
public record SignedStatement(Statement statement, Signed signed) {
  private static final String PURPOSE = PeerIdentity.STATEMENT;
  private static final int NAME_DIGITS = 12;

  /** Signs a statement as this member. */
  public static SignedStatement by(PeerIdentity identity, Statement statement) {
    byte[] bytes = statement.bytes();
    return new SignedStatement(
        statement,
        Signed.newBuilder()
            .setSigner(identity.site())
            .setStatement(ByteString.copyFrom(bytes))
            .setSignature(ByteString.copyFrom(identity.sign(PURPOSE, bytes)))
            .build());
  }

  /** Whether it is said in the name of somebody who is a member now. */
  static boolean isOfMember(PeerIdentity identity, Signed signed) {
    return identity.kit().plan().plan().federation().members().contains(signed.getSigner());
  }

  /** Reads a statement and believes it where its signature is the signer's. */
  public static SignedStatement checked(PeerIdentity identity, Signed signed) {
    byte[] bytes = signed.getStatement().toByteArray();
    if (!isOfMember(identity, signed)) {
      throw new InvalidInput(
          "statement: must be of a member; `%s` is none now".formatted(printable(signed)));
    }
    if (!identity.verify(signed.getSigner(), PURPOSE, bytes, signed.getSignature().toByteArray())) {
      throw new InvalidInput(
          "statement: must be signed by `%s`, whom it names, under a certificate that holds; it is not"
              .formatted(printable(signed)));
    }
    return new SignedStatement(Statement.of(bytes), signed);
  }

  /** Whoever is named may be anybody: nothing of it may pass for another line of a log. */
  private static String printable(Signed signed) {
    return signed.getSigner().replaceAll("[^A-Za-z0-9._-]", "?");
  }

  public String signer() {
    return signed.getSigner();
  }

  /** 32 bytes that no other statement has. */
  public ByteString hash() {
    return hash(signed);
  }

  static ByteString hash(Signed signed) {
    return ByteString.copyFrom(
        new Sha256()
            .add(signed.getSigner().length())
            .add(signed.getSigner())
            .add(signed.getStatement().toByteArray())
            .bytes());
  }

  /** The name of a question, by which people and other statements refer to it. */
  public String name() {
    return HexFormat.of().formatHex(hash().toByteArray()).substring(0, NAME_DIGITS);
  }

  /** The text of its file. */
  String text() {
    return new JsonObject()
            .put("signer", signed.getSigner())
            .put("statement", signed.getStatement().toStringUtf8())
            .put(
                "signature",
                Base64.getEncoder().encodeToString(signed.getSignature().toByteArray()))
        + "\n";
  }

  /** What a file holds, believed or not. */
  static Signed read(Path file) {
    try {
      JsonNode json = JsonMapper.shared().readTree(YamlTree.text(file));
      return Signed.newBuilder()
          .setSigner(json.path("signer").asString())
          .setStatement(
              ByteString.copyFrom(
                  json.path("statement").asString().getBytes(StandardCharsets.UTF_8)))
          .setSignature(
              ByteString.copyFrom(Base64.getDecoder().decode(json.path("signature").asString())))
          .build();
    } catch (JacksonException | IllegalArgumentException e) {
      throw new InvalidInput(
          "%s: must be a signed statement; it cannot be read".formatted(file), e);
    }
  }
}
