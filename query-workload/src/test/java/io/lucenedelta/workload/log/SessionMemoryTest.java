// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionMemoryTest {
  private record Asked(long session, int text, long second) {}

  @Test
  void itAnswersAsAMapThatForgetsNothingWould() {
    long seed = System.nanoTime();
    Map<List<Long>, Long> last = new HashMap<>();
    Map<List<Long>, Long> hourly = new HashMap<>();
    Set<List<Long>> marked = new HashSet<>();
    SessionMemory memory = new SessionMemory(1 << 16);
    for (Asked asked : stream(seed, 30_000, 2_000)) {
      List<Long> question = List.of(asked.session, (long) asked.text);
      boolean wasMarked = marked.remove(question);
      assertThat(memory.isMarked(asked.session, asked.text))
          .as("seed %d, %s", seed, asked)
          .isEqualTo(wasMarked);
      Long before = last.put(question, asked.second);
      long inHour =
          hourly.merge(List.of(asked.session, Math.floorDiv(asked.second, 3600)), 1L, Long::sum);

      assertThat(memory.asks(asked.session, asked.text, asked.second))
          .as("seed %d, %s", seed, asked)
          .isEqualTo(before == null ? SessionMemory.NEVER : before);
      assertThat(memory.countThisHour(asked.second))
          .as("seed %d, %s", seed, asked)
          .isEqualTo(inHour);
      assertThat(memory.wasMarked()).as("seed %d, %s", seed, asked).isEqualTo(wasMarked);
      if (asked.second % 3 == 0) {
        memory.mark();
        marked.add(question);
      }
    }
  }

  @Test
  void aFullMemoryForgetsTheOldestOnly() {
    long seed = System.nanoTime();
    int capacity = 1 << 9;
    SessionMemory memory = new SessionMemory(capacity);
    List<Asked> past = new ArrayList<>();
    int recalled = 0;
    int forgotten = 0;
    for (Asked asked : stream(seed, 12_000, 4_000)) {
      int before = lastOf(past, asked);
      long answer = memory.asks(asked.session, asked.text, asked.second);
      if (before < 0) {
        assertThat(answer)
            .as("seed %d, never asked: %s", seed, asked)
            .isEqualTo(SessionMemory.NEVER);
      } else if (sessionsSince(past, before) < capacity) {
        assertThat(answer)
            .as("seed %d, recent: %s", seed, asked)
            .isEqualTo(past.get(before).second);
        recalled++;
      } else if (answer == SessionMemory.NEVER) {
        forgotten++;
      }
      past.add(asked);
    }
    assertThat(recalled).as("seed %d", seed).isPositive();
    assertThat(forgotten).as("seed %d", seed).isPositive();
  }

  @Test
  void aMarkIsKnownAsLongAsItsSessionIs() {
    SessionMemory memory = new SessionMemory(4);
    memory.asks(1, 7, 100);
    memory.asks(2, 7, 100);
    memory.mark();
    memory.asks(3, 7, 101);
    memory.asks(4, 7, 101);
    memory.asks(5, 7, 102); // for which there is no room beside the first four
    assertThat(memory.isMarked(2, 7)).isTrue();
    assertThat(memory.isMarked(1, 7)).isFalse();
  }

  /** Both are numbers of the same kind, and a session may be named as a text of another. */
  @Test
  void whoIsNamedAsWhatAnotherAskedDidNotAskWhatThatOneIsNamed() {
    SessionMemory memory = new SessionMemory(16);
    memory.asks(1, 2, 100);
    memory.asks(1, 3, 101);
    memory.asks(2, 4, 102);
    assertThat(memory.asks(2, 1, 103)).isEqualTo(SessionMemory.NEVER);
  }

  /** Whoever writes a log can choose sessions whose hashes agree in all other bits. */
  @Test
  void sessionsThatDifferInTheirHighestBitsAloneHaveManyPlaces() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    SessionMemory memory = new SessionMemory(1 << 13);
    Set<Long> alike = new HashSet<>();
    while (alike.size() < 1 << 12) {
      alike.add((long) random.nextInt(1 << 16) << 48 | 0x5a5a5a5a5a5aL);
    }
    alike.forEach(session -> memory.asks(session, 1, 100));
    assertThat(alike.stream().map(memory::home).distinct().count())
        .as("seed %d", seed)
        .isGreaterThan(100); // half of them and more by nearly every factor
  }

  /** Where the session last asked the text, or -1. */
  private static int lastOf(List<Asked> past, Asked asked) {
    int at = past.size() - 1;
    while (at >= 0 && (past.get(at).session != asked.session || past.get(at).text != asked.text)) {
      at--;
    }
    return at;
  }

  private static int sessionsSince(List<Asked> past, int before) {
    Set<Long> sessions = new HashSet<>();
    past.subList(before, past.size()).forEach(asked -> sessions.add(asked.session));
    return sessions.size();
  }

  /** Sessions of one or two texts each, times rising slowly and across hours. */
  private static List<Asked> stream(long seed, int length, int sessions) {
    Random random = new Random(seed);
    List<Asked> stream = new ArrayList<>();
    long second = -5_000;
    for (int i = 0; i < length; i++) {
      second += random.nextInt(3);
      long session = Fingerprint.mix(1 + random.nextInt(sessions));
      stream.add(new Asked(session, random.nextInt(3), second));
    }
    return stream;
  }
}
