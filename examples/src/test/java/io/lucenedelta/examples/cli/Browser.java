// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Chromium or Chrome without a window, if this machine has one: a page in, what became of it out.
 */
final class Browser {
  private static final long SECONDS = 120;

  private final Path program;
  private final Path profile;

  private Browser(Path program, Path profile) {
    this.program = program;
    this.profile = profile;
  }

  /**
   * The first browser on the PATH.
   *
   * @param profile an empty directory for what it writes
   */
  static Optional<Browser> find(Path profile) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(
            directory ->
                Stream.of("chromium", "chromium-browser", "google-chrome", "chrome")
                    .map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Browser(program, profile));
  }

  /** The page as it stands when its scripts have run; empty if the browser cannot show any. */
  String shown(URI page) throws IOException, InterruptedException {
    Path dom = profile.resolve("dom.html");
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--user-data-dir=" + profile.resolve("profile"),
                "--virtual-time-budget=3000",
                "--dump-dom",
                page.toString())
            .redirectOutput(dom.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return "";
    }
    return Files.readString(dom, StandardCharsets.UTF_8);
  }
}
