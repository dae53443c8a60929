// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Tells once of scored fields in which no page has a term of the workload, if enough pages were
 * looked at for that to say something: those that were captured, and where these leave fields open,
 * those of the index. Guarded by the measurer's lock.
 */
final class FieldsCheck {
  private final DeltaConfig config;
  private final BitSet worded = new BitSet(); // fields in which a page had a term of the workload
  private final BitSet givenUp =
      new BitSet(); // fields in which no more indexed pages are looked at
  private long captured; // pages
  private boolean keyless; // some text may be of documents without a key
  private boolean told;

  FieldsCheck(DeltaConfig config) {
    this.config = config;
  }

  /** A segment was captured. */
  void captured(CapturedSegment segment) {
    worded.or(segment.fieldsWithTerms());
    captured += segment.size();
  }

  /** Pages that were captured. */
  long captured() {
    return captured;
  }

  /**
   * Tells, if there is something to tell.
   *
   * @param ranks null when there are none yet
   * @param another whether these were not looked at yet
   * @param pages those of the index
   * @param keylessDocuments whether documents without a key came, or are there
   */
  void check(Ranks ranks, boolean another, PageStore pages, boolean keylessDocuments) {
    keyless = keylessDocuments;
    if (told) {
      return;
    }
    if (captured >= SetupCheck.ENOUGH) {
      lookAt(pages, notLookedAt()); // of a field that few pages have, those captured may have none
      tell("first " + captured, captured, wordedOrRare(ranks));
    } else if (another) {
      tellOfIndexed(ranks, pages);
    }
  }

  /**
   * Tells which scored fields had no term of the workload, if that says something.
   *
   * @param which pages were looked at, for the sentence
   * @param pages how many
   * @param passedOver fields of which nothing is told
   */
  private void tell(String which, long pages, BitSet passedOver) {
    List<String> wordless = scoredFieldsWithout(passedOver);
    if (wordless.isEmpty() || pages < SetupCheck.ENOUGH) {
      return;
    }
    told = true;
    boolean one = wordless.size() == 1;
    String sentence =
        "none of the %s pages has any of the workload's %d terms in %s%s: %s searched, and was the workload made with an analyzer whose terms are those of the index?%s"
            .formatted(
                which,
                config.workload().termCount(),
                one ? "field " : "",
                String.join(" or ", wordless),
                one ? "is this a field that is" : "are these the fields that are",
                keyless
                    ? " The text of documents without a key, such as the children of a block, does not count: put it on the document that has the key"
                    : "");
    config.listener().trouble(Trouble.SETUP, sentence, null);
  }

  private List<String> scoredFieldsWithout(BitSet passedOver) {
    List<String> names = new ArrayList<>();
    for (int field = 0; field < config.scoredFields().size(); field++) {
      if (!passedOver.get(field)) {
        names.add(config.scoredFields().get(field).name());
      }
    }
    return names;
  }

  /**
   * The fields in which pages have a term. Where more pages are indexed than are looked at, they
   * are those in which the statistics have one, too, unless it may be of documents without a key.
   */
  private BitSet wordedOrRare(Ranks ranks) {
    BitSet fields = (BitSet) worded.clone();
    if (ranks != null && !keyless) {
      givenUp.stream().filter(ranks::hasTerms).forEach(fields::set);
    }
    return fields;
  }

  /** Tells of fields in which the statistics have no term, or those of documents without a key. */
  private void tellOfIndexed(Ranks ranks, PageStore pages) {
    BitSet sought = notLookedAt();
    for (int field = 0; field < config.scoredFields().size(); field++) {
      sought.set(field, sought.get(field) && ranks.hasTerms(field));
    }
    long looked = lookAt(pages, sought);
    long tells = sought.isEmpty() ? ranks.pages() : looked; // of the rest
    BitSet passedOver = (BitSet) givenUp.clone();
    passedOver.or(worded);
    tell(tells + " indexed", tells, passedOver);
  }

  private BitSet notLookedAt() {
    BitSet sought = new BitSet();
    for (int field = 0; field < config.scoredFields().size(); field++) {
      sought.set(field, !worded.get(field) && !givenUp.get(field));
    }
    return sought;
  }

  /**
   * Looks for the fields in which indexed pages have a term: what the statistics count may be of
   * documents without a key. Mostly the first page has them all.
   *
   * @param sought fields; those that are found are taken out
   * @return how many pages were looked at
   */
  private long lookAt(PageStore pages, BitSet sought) {
    LookedAt looked = new LookedAt(config);
    try {
      if (!sought.isEmpty()) {
        pages.forEachUntil(page -> isFoundIn(page, sought) || looked.count(page));
      }
    } catch (RuntimeException | Error e) {
      givenUp.or(sought); // what cannot be read is told where it is needed
      return 0;
    }
    if (looked.all() && !worded.isEmpty()) {
      givenUp.or(sought); // beside fields that pages have: few have these, perhaps
    }
    return looked.pages();
  }

  private boolean isFoundIn(PageEntry page, BitSet sought) {
    page.vector.rewind();
    while (page.vector.nextField()) {
      sought.clear(page.vector.field());
      worded.set(page.vector.field());
    }
    return sought.isEmpty();
  }
}
