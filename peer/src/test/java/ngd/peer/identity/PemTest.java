package ngd.peer.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Random;
import ngd.core.InvalidInput;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: Bouncy Castle's writer of the same form. */
class PemTest {
  private static final Path FILE = Path.of("file.pem");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 47, 48, 49, 96, 1000})
  void text_anyLength_isAsBouncyCastleWritesIt(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(Pem.REQUEST, content));
    }
    String theirs = text.toString().replace(System.lineSeparator(), "\n");
    if (length > 0) {
      assertThat(Pem.text(Pem.REQUEST, content)).isEqualTo(theirs);
    }
    String two =
        "comment\n" + Pem.text(Pem.SIGNATURE, new byte[] {1}) + theirs.replace("\n", "\r\n");
    assertThat(Pem.blocks(FILE, two, Pem.REQUEST)).containsExactly(content);
    assertThat(Pem.blocks(FILE, theirs + two, Pem.REQUEST)).containsExactly(content, content);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN CERTIFICATE-----\nAAAA\n",
        "-----BEGIN CERTIFICATE-----\nA*AA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END X509 CRL-----\n",
        "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n",
        "AAAA",
        ""
      })
  void blocks_whatIsNone_isRefusedWithTheFilesName(String text) {
    assertThatThrownBy(() -> Pem.blocks(FILE, text, Pem.CERTIFICATE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("file.pem: ");
  }
}
