// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;

/** Asks the measurements of each {@code INDEX} everything, and prints what they answer. */
public final class AskingProgram {
  static final Instant AFTERWARDS = Instant.parse("2027-01-01T00:00:00Z");

  private AskingProgram() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String index : arguments) {
      try (DeltaState state = DeltaState.open(Path.of(index))) {
        for (Question question : Question.values()) {
          out.println(question.ask(state));
        }
        out.println(copied(state, Path.of(index)));
      }
    }
  }

  /** What can be asked; each answer is text to compare. */
  enum Question {
    ORDER {
      @Override
      Object answer(DeltaState state) {
        return state.nextPages(20, AFTERWARDS);
      }
    },
    ORDER_WITH_DISCOVERIES {
      @Override
      Object answer(DeltaState state) throws IOException {
        Discoveries told = state.discoveries(new WhitespaceAnalyzer());
        return told.add("another", "alpha", AFTERWARDS)
            + " "
            + state.nextPages(told, 20, AFTERWARDS);
      }
    },
    EXPLANATION {
      @Override
      Object answer(DeltaState state) throws IOException {
        return state.explain("p1").orElseThrow().refreshes();
      }
    },
    STATUS {
      @Override
      Object answer(DeltaState state) throws IOException {
        return state.status();
      }
    },
    HISTORIES {
      @Override
      Object answer(DeltaState state) {
        List<String> pages = new ArrayList<>();
        state.histories().forEach(page -> pages.add(page.page() + " " + page.lastRefresh()));
        return pages + " " + state.histories().of("p1").orElseThrow().lastRefresh();
      }
    };

    abstract Object answer(DeltaState state) throws IOException;

    String ask(DeltaState state) throws IOException {
      return name() + " " + answer(state);
    }
  }

  /** Copies the measurements, and asks the copy. */
  static String copied(DeltaState state, Path index) throws IOException {
    Path copy = Files.createTempDirectory(index.getParent(), "copy");
    state.copyTo(copy);
    try (DeltaState copied = DeltaState.open(index, copy)) {
      return "COPY " + Question.EXPLANATION.ask(copied);
    }
  }
}
