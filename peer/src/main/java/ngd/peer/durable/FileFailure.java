package ngd.peer.durable;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Why a file or folder could not be used, in words: the exceptions' own often say its name only.
 */
public final class FileFailure {
  private FileFailure() {}

  public static String reason(IOException failed) {
    return switch (failed) {
      case AccessDeniedException denied -> "permission denied: " + denied.getFile();
      case NoSuchFileException missing -> "there is no " + missing.getFile();
      case FileAlreadyExistsException file -> file.getFile() + " is a file";
      case FileSystemException other when other.getReason() != null ->
          "%s: %s".formatted(other.getFile(), other.getReason());
      default -> String.valueOf(failed.getMessage());
    };
  }
}
