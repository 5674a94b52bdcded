package ngd.peer;

import ngd.peer.identity.SiteSignatures;

/**
 * What proves whose a term of a sum is, whoever passes it on. Every signature is bound to the run:
 * one of another plan, or under another key, is none here.
 */
public interface Signatures {
  /** Every term is believed to be whose it is said to be. */
  Signatures NONE =
      new Signatures() {
        @Override
        public int bytes() {
          return 0;
        }

        @Override
        public byte[] sign(byte[] statement) {
          return new byte[0];
        }

        @Override
        public boolean verify(int client, byte[] statement, byte[] signature) {
          return true;
        }
      };

  /** Those of the sites of one run. */
  static Signatures of(SiteSignatures sites) {
    return new Signatures() {
      @Override
      public int bytes() {
        return SiteSignatures.BYTES;
      }

      @Override
      public byte[] sign(byte[] statement) {
        return sites.sign(statement);
      }

      @Override
      public boolean verify(int client, byte[] statement, byte[] signature) {
        return sites.verify(client, statement, signature);
      }
    };
  }

  /** The length of every signature. */
  int bytes();

  /** This client's signature under a statement. */
  byte[] sign(byte[] statement);

  /** Whether this is a client's signature under a statement. */
  boolean verify(int client, byte[] statement, byte[] signature);
}
