package ngd.studies.grid;

import java.nio.file.Path;
import java.util.List;
import ngd.core.question.Question;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;

/** Grids of users' own, in YAML files. */
public final class GridFileKind implements StudyKind {
  @Override
  public List<String> names() {
    return List.of();
  }

  @Override
  public boolean understands(String nameOrFile) {
    return nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml");
  }

  @Override
  public StudyRequest request(String nameOrFile, Question options) {
    return GridFile.read(Path.of(nameOrFile));
  }
}
