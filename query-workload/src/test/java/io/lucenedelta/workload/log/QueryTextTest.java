// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTextTest {
  @ParameterizedTest(name = "{0} means {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      ignoreLeadingAndTrailingWhitespace = true,
      value = {
        "garden pond | garden pond",
        "\"garden pond\" | garden pond",
        "+garden +pond | garden pond",
        "garden+pond | garden pond",
        "+garden+pond | garden+pond",
        "garden%20pond%2Dlife | garden pond-life",
        "salt+pepper mill%20stones | salt+pepper mill%20stones",
        "garden pond -cheap | garden pond",
        "garden NOT cheap pond | garden pond",
        "garden AND (pond OR lake) | garden pond lake",
        "Garden AND Pond NOT Cheap | Garden Pond",
        "garden NEAR pond | garden pond",
        "garden -\"very cheap\" pond | garden pond",
        "BUY OR SELL | BUY OR SELL",
        "OR | OR",
        "池塘 AND (花园 OR 2005) | 池塘 花园 2005",
        "池塘 NOT 便宜 | 池塘",
        "I-95 OR I-80 | I-95 OR I-80",
        "USB OR HDMI 変換 | USB HDMI 変換",
        "DVD NOT レンタル | DVD",
        "PISO 5º OR PISO 6º | PISO 5º OR PISO 6º",
        "garden and pond or lake | garden and pond or lake",
        "pond site:example.org | pond",
        "title:pond body:\"big garden\" | pond big garden",
        "+title:\"big garden\"^2.5 pond~1 | big garden pond",
        "http://example.org/pond | http://example.org/pond",
        "-40 degrees | -40 degrees",
        "100% wool | 100% wool",
        "c++ course | c++ course",
        "c++ | c++",
        "c++11 | c++11",
        "garden+pond | garden pond",
        "e-mail | e-mail",
        "?!.. | ?!..",
        "title:+body:pond doc_title:text:x:y | pond x:y",
        "title:body:-pond text:site:example.org text:http://example.org | http://example.org",
        "title:gard* text:c++ title: | c++ title:",
        "svn:externals | svn:externals",
        "what effects i:e ratio | what effects i:e ratio",
        "std::vector title::x | std::vector title::x",
        "localhost:8080 refused | localhost:8080 refused",
        "doc_title:pond lyrics:\"big garden\" | pond big garden",
        "site:\"example.org\" credit card | credit card",
        "credit card -site:(example.org) | credit card",
        "url:“example.org” credit | credit",
        "garden -“very cheap” pond | garden pond",
        "garden NOT “very cheap” pond | garden pond",
        "yahoo ! mail | yahoo ! mail",
        "css !important | css !important",
        "php artisan cache:clear | php artisan cache:clear",
        "10:30 train re: meeting | 10:30 train re: meeting",
        "price:[10 TO 20] AND garden | garden",
        "garden +date:{2001-01-01 TO *] pond | garden pond",
        "garden (price:[* TO 5] OR [a TO b}) pond | garden pond",
        "garden NOT price:[10 TO 20] pond | garden pond",
        "[garden pond] {a to z} [10 TO | garden pond a to z 10 TO",
        "gard* pond | pond",
        "title:gard* pond *ism col*r | pond",
        "what are institutions?meaning | what are institutions?meaning",
        "what is lucene? | what is lucene?",
        "lucene? garden | lucene? garden",
        "c* algebra a* search | c* algebra a* search",
        "m*a*s*h hotel 5* 2*3 | m*a*s*h hotel 5* 2*3",
        "find *.java java.util.* | find *.java java.util.*",
        "http://example.org/page?id=5 | http://example.org/page?id=5",
        "index.php?id=5 | index.php?id=5",
        "ラーメン\u3000-東京 | ラーメン",
        "site:example.jp\u3000観光 | 観光",
        "東京\u3000OR\u3000大阪 | 東京 大阪",
        "東京\u3000+大阪 c++ | 東京 大阪 c++",
        "東京%E3%80%80-大阪 | 東京",
        "garden\u00a0-cheap\u00a0 | garden",
        "हिन्दी* समाचार | समाचार",
        "ที่* ไทย | ไทย",
        "cafe\u0301* *e\u0301te\u0301 paris | paris",
        "Lehrer*innen Fortbildung | Lehrer*innen Fortbildung",
        "LEHRER*INNEN FORTBILDUNG | LEHRER*INNEN FORTBILDUNG",
        "Lehrer*Innen plan | Lehrer*Innen plan",
        "(Lehrer*in) +Bürger*innen-Büro | Lehrer*in Bürger*innen-Büro",
        "Lehrer*innen* Sch*ler*innen *innen Lehr*inhalt plan | plan",
        "why??? *** ? * | why??? *** ? *",
        "roam~0.8^2 \"garden pond\"~3^2 fish^2~1 koi~^ | roam garden pond fish koi",
        "pond -(koi (red) fish) deep | pond deep",
        "pond -(koi (red (very)) (big) fish) deep | pond deep",
        "pond -(koi (red) fish | pond fish",
        "site:(example.org (or another)) pond | pond",
      })
  void operatorsAreNoWords(String typed, String words) {
    assertThat(QueryText.words(typed)).isEqualTo(words);
  }

  @ParameterizedTest(name = "{0} asks for {1}")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      value = {
        "category:books | books",
        "+a.b:garden -(c:pond OR d:lake) | garden",
        "x:http://example.org | http://example.org",
        "http://example.org y | http://example.org y",
        "site:example.org pond | pond",
        "pond -id:123 -deleted:1 | pond",
        "te?t title:M?nchen hotel | hotel",
        "(+te?t OR a?b?c) -te?t NOT te?t pon? fox? | pon? fox?",
        "東京\u3000category:観光 | 東京 観光",
        "te?t\u3000ホテル | ホテル",
        "हि?दी re\u0301?o समाचार | समाचार",
        "http://example.org/page?id=5 index.php?id=5 | http://example.org/page?id=5 index.php?id=5",
        "\"set svn:externals property\" title:\"x:y z\" | set svn:externals property x:y z",
      })
  void inLucenesSyntaxAnyWordBeforeAColonIsAField(String typed, String words) {
    assertThat(QueryText.words(QueryText.withoutFields(typed))).isEqualTo(words);
  }

  /** The army, which pages name by this sign, too; tokenizers keep it within a word. */
  @Test
  void aQuoteWithinAHebrewAcronymIsASignOfIt() {
    String army = "\u05e6\u05d4\"\u05dc";
    String pointed = "\u05e6\u05b8\u05d4\u05b8\"\u05dc";
    String peace = "\u05e9\u05dc\u05d5\u05dd";
    assertThat(QueryText.words(army)).isEqualTo(army);
    assertThat(QueryText.words(pointed + " " + army)).isEqualTo(pointed + " " + army);
    assertThat(QueryText.words("\"" + army + "\" (\"" + peace + "\")"))
        .isEqualTo(army + " " + peace);
    assertThat(QueryText.words(peace + " -\"" + army + " " + peace + "\" " + army))
        .isEqualTo(peace + " " + army);
    assertThat(QueryText.words(army + "\"a\"b" + peace + "\"")).isEqualTo(army + " a b" + peace);
    assertThat(QueryText.withoutFields(army + " body:" + peace + " \"a:" + army + " b:c\""))
        .isEqualTo(army + " " + peace + " \"a:" + army + " b:c\"");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "caf%C3%A9+paris | café paris",
        "caf%E9+paris | café paris",
        "100%+wool | 100% wool",
        "50%zz | 50%zz",
        "50%2z | 50%2z",
        "50%2 | 50%2",
        "%u6C60%u5858+pond%u2019s | 池塘 pond’s",
        "%uD83D%uDC1F+caf%C3%A9 | \uD83D\uDC1F café",
        "%u00250A %u004 %uG000 50%u | %0A %u004 %uG000 50%u"
      })
  void whatFormsSendIsDecodedAndBrokenEscapesStay(String sent, String text) {
    assertThat(FormDecoding.decode(sent)).isEqualTo(text);
  }

  /** At this size looking for the next sign from every sign on would not end. */
  @Test
  @Timeout(600)
  void aTextMayHoldSignsWithoutEnd() {
    String signs = "a" + "+b".repeat(500_000);
    assertThat(QueryText.words(signs + " c")).isEqualTo(signs + " c");
    String weights = "a" + "^1".repeat(500_000);
    assertThat(QueryText.words(weights + "b")).isEqualTo(weights + "b");
    assertThat(QueryText.words("_:".repeat(500_000) + "x")).isEqualTo("x");
    assertThat(QueryText.words("title:".repeat(200_000) + "-x pond")).isEqualTo("pond");
    String acronyms = "\u05d0" + "\"\u05d0".repeat(500_000);
    assertThat(QueryText.words("-\"" + acronyms + "\" b")).isEqualTo("b");
    assertThat(QueryText.withoutFields("\"" + acronyms)).isEqualTo("\"" + acronyms);
  }
}
