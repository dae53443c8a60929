// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents point to is there. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern CLASS = Pattern.compile("\\b[A-Z][a-z]\\w*");
  private static final Pattern METHOD = Pattern.compile("\\b([A-Z][a-z]\\w*)\\.([a-z]\\w*)");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|enum|interface) ([A-Z]\\w*)");

  /** Comments of the Javadoc that readers of its pages see. */
  private static final Pattern SHOWN =
      Pattern.compile(
          "/\\*\\*((?:[^*]++|\\*(?!/))*+)\\*/\\s+(?:@[^\n]*\\s+)*(?:public|protected|package) ");

  private static final Pattern VERSION = Pattern.compile(" int VERSION = (\\d+);");
  private static final Pattern OLDEST = Pattern.compile(" int OLDEST = (\\d+);");

  /** The class that has the version of a kind of file in the folder of measurements. */
  private static final Map<String, String> WRITERS =
      Map.ofEntries(
          Map.entry("delta_N", "Manifest"),
          Map.entry("batch_G", "RefreshFile"),
          Map.entry("visits_G", "RefreshFile"),
          Map.entry("refreshes_K", "RefreshFile"),
          Map.entry("incomplete_G", "IncompleteBatch"),
          Map.entry("workload_X", "WorkloadFile"),
          Map.entry("queue_N", "QueueFile"),
          Map.entry("told_M", "QueueFile"),
          Map.entry("audit_N", "AuditLog"),
          Map.entry("ranks_K", "Ranks"),
          Map.entry("check_K", "PagesCheck"),
          Map.entry("order_K", "OrderFile"));

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z.]+);");
  private static final String ROOM = "package-info";

  private static final Pattern BEGINS_WITH_OF =
      Pattern.compile("(?:/\\*\\*|//|[.!?]|<li>|<p>) ?(Of [a-z].{0,60})");

  private static final Pattern NAMED =
      Pattern.compile("\\{@(?:code|link|linkplain) +(?:[a-z]+\\.)*([A-Z]\\w*)");

  @Test
  void everyLinkLeadsToAFileAndASectionThatAreThere() throws IOException {
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      for (String link : all(LINK, Files.readString(document))) {
        if (!ELSEWHERE.matcher(link).matches()) {
          links++;
          if (!leadsSomewhere(document, link)) {
            dead.add(ROOT.relativize(document) + " → " + link);
          }
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(links).isGreaterThan(100);
  }

  @Test
  void everyDecisionStandsInTheirIndexByNumberAndTitle() throws IOException {
    Path folder = ROOT.resolve("docs/decisions");
    List<String> rows = new ArrayList<>();
    try (Stream<Path> decisions = Files.list(folder)) {
      for (Path decision : decisions.filter(file -> !file.endsWith("README.md")).toList()) {
        String[] title = Files.readAllLines(decision).get(0).split("^# |\\. ", 3);
        rows.add("| %s | [%s](%s) |".formatted(title[1], title[2], decision.getFileName()));
      }
    }
    List<String> index =
        Files.readAllLines(folder.resolve("README.md")).stream()
            .filter(line -> line.contains(".md) |"))
            .map(line -> line.replaceAll("(\\.md\\) \\|).*", "$1"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(20);
    assertThat(index).containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void theReadmeSaysWhichLuceneComesWithIt() throws IOException {
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains("it brings " + Version.LATEST);
  }

  /** Jars are made of what is looked at here, or, of modules that are not built, looked at. */
  @ParameterizedTest
  @ValueSource(strings = {"LICENSE", "NOTICE"})
  void everyModuleBringsItsLicence(String name) throws IOException {
    for (Class<?> ofModule :
        List.of(Workload.class, RefreshPolicy.class, DeltaIndexWriter.class, HtmlShell.class)) {
      URL module = ofModule.getProtectionDomain().getCodeSource().getLocation();
      try (URLClassLoader alone = new URLClassLoader(new URL[] {module}, null)) {
        URL brought = alone.getResource("META-INF/" + name);
        assertThat(brought).as("%s of %s", name, module).isNotNull();
        URLConnection own = brought.openConnection();
        own.setUseCaches(false); // closing a jar that is shared closes it for other tests, too
        try (InputStream in = own.getInputStream()) {
          assertThat(in).hasBinaryContent(Files.readAllBytes(ROOT.resolve(name)));
        }
      }
    }
  }

  @Test
  void theTableOfVersionsHasThatOfEveryKindOfFile() throws IOException {
    Map<String, String> sources = librarySources();
    Map<String, String> rows = new TreeMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/store-format.md"))) {
      String[] cells = line.split(" \\| ", -1);
      if (cells.length == 4 && cells[1].matches("\\d+")) {
        all(CODE, cells[0]).forEach(file -> rows.put(file, cells[1] + ", " + cells[2]));
      }
    }
    for (Map.Entry<String, String> file : WRITERS.entrySet()) {
      String version = all(VERSION, sources.get(file.getValue())).get(0);
      List<String> oldest = all(OLDEST, sources.get(file.getValue()));
      String read = oldest.isEmpty() ? version : oldest.get(0) + " to " + version;
      assertThat(rows.remove(file.getKey())).as(file.getKey()).isEqualTo(version + ", " + read);
    }
    rows.remove("columns_K.map"); // which `order_K` describes
    assertThat(rows).as("kinds of file that no class is known to write").isEmpty();
    sources.keySet().removeIf(name -> !sources.get(name).contains("package io.lucenedelta.delta;"));
    sources.values().removeIf(source -> all(VERSION, source).isEmpty());
    assertThat(WRITERS.values()).containsAll(sources.keySet());
    assertThat(sources).hasSizeGreaterThan(7);
  }

  private static boolean leadsSomewhere(Path document, String link) throws IOException {
    int hash = link.indexOf('#');
    String name = hash < 0 ? link : link.substring(0, hash);
    Path target = name.isEmpty() ? document : document.resolveSibling(name);
    return Files.exists(target)
        && (hash < 0 || sections(target).contains(link.substring(hash + 1)));
  }

  /** Names of sections as they stand in links: lower case, hyphens for blanks, no other marks. */
  private static Set<String> sections(Path document) throws IOException {
    return Files.readAllLines(document).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/paper-map.md", "docs/glossary.md"})
  void everyClassThatIsNamedIsThere(String name) throws IOException {
    Set<String> named = new TreeSet<>();
    for (String code : all(CODE, Files.readString(ROOT.resolve(name)))) {
      CLASS.matcher(code).results().map(MatchResult::group).forEach(named::add);
    }
    assertThat(named).hasSizeGreaterThan(30);
    assertThat(named).isSubsetOf(declared());
  }

  @Test
  void everyMethodThatThePaperMapNamesIsThere() throws IOException {
    Map<String, String> sources = librarySources();
    List<String> missing = new ArrayList<>();
    int methods = 0;
    for (String code : all(CODE, Files.readString(ROOT.resolve("docs/paper-map.md")))) {
      for (MatchResult found : METHOD.matcher(code).results().toList()) {
        methods++;
        String source = sources.getOrDefault(found.group(1), "");
        if (!source.contains(" " + found.group(2) + "(")) {
          missing.add(found.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(methods).isGreaterThan(5);
  }

  /** Readers of the Javadoc pages see public classes and what is public in them. */
  @Test
  void noPageOfTheJavadocNamesAClassThatItsReaderCannotSee() throws IOException {
    Map<String, String> sources = librarySources();
    Set<String> seen = new TreeSet<>(sources.keySet());
    seen.removeIf(name -> !name.endsWith(ROOM) && !isPublic(name, sources.get(name)));
    Set<String> unseen = new TreeSet<>(sources.keySet());
    unseen.removeAll(seen);
    List<String> named = new ArrayList<>();
    for (String name : seen) {
      for (String page : all(SHOWN, sources.get(name))) {
        all(NAMED, page.replaceAll("\\n *\\* ?", " ")).stream()
            .filter(unseen::contains)
            .forEach(hidden -> named.add(name + " names " + hidden));
      }
    }
    assertThat(named).isEmpty();
    assertThat(seen).hasSizeGreaterThan(80);
    assertThat(unseen).contains("GainModel", "CaptureCodec", "SessionRules");
  }

  /** Such a sentence is understood at its end, and then read once more. */
  @Test
  void noSentenceOfACommentInTheLibraryBeginsWithOf() throws IOException {
    List<String> found = new ArrayList<>();
    Map<String, String> sources = librarySources();
    sources.forEach(
        (name, source) -> {
          String flowing = source.replaceAll("\\n *(\\*|//) ", " ");
          all(BEGINS_WITH_OF, flowing).forEach(sentence -> found.add(name + ": " + sentence));
        });
    assertThat(found).isEmpty();
    assertThat(sources).hasSizeGreaterThan(200);
  }

  @ParameterizedTest
  @CsvSource({
    "2005, User-Centric Web Crawling",
    "2008, Recrawl Scheduling Based on Information Longevity",
    "survey, Survey of Page-Refreshing Strategies of Search Engine"
  })
  void everyPackageThatCitesAPaperNamesIt(String brief, String title) throws IOException {
    Set<String> citing = new TreeSet<>();
    Set<String> naming = new TreeSet<>();
    for (Map.Entry<String, String> source : librarySources().entrySet()) {
      String room = all(PACKAGE, source.getValue()).get(0);
      String pages = String.join("", all(SHOWN, source.getValue())).replaceAll("\\n *\\* ?", " ");
      if (pages.contains(brief)) {
        citing.add(room);
      }
      if (source.getKey().endsWith(ROOM) && pages.contains(title)) {
        naming.add(room);
      }
    }
    assertThat(citing).isNotEmpty();
    assertThat(naming).containsAll(citing);
  }

  /** Sources of the libraries, by the name of the class or, of packages, of their folder, too. */
  private static Map<String, String> librarySources() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (String library : List.of("query-workload", "scorer", "lucene-delta")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(library + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          String room = ROOT.relativize(file.getParent()) + " ";
          sources.put((name.equals(ROOM) ? room : "") + name, Files.readString(file));
        }
      }
    }
    return sources;
  }

  private static boolean isPublic(String name, String source) {
    return Pattern.compile("^public .*\\b" + name + "\\b", Pattern.MULTILINE)
        .matcher(source)
        .find();
  }

  private static Set<String> declared() throws IOException {
    Set<String> declared = new TreeSet<>();
    for (String module : List.of("query-workload", "scorer", "lucene-delta", "examples")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          declared.addAll(all(DECLARED, Files.readString(file)));
        }
      }
    }
    return declared;
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs).filter(path -> path.toString().endsWith(".md")).toList();
    }
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
