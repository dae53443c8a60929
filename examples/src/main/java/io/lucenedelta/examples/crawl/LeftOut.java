// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

/** Why a record of a crawl is no page. */
public enum LeftOut {
  /** The server answered with a status other than 200. */
  STATUS("status other than 200", true),
  /** The answer broke off, is no HTTP, or is in a coding that could not be undone. */
  BROKEN("broken or not decoded", true),
  /** The media type is none of text that can be read. */
  NOT_TEXT("not text that can be read", true),
  /** No page is so large that somebody reads it: recordings, whose tree may not fit into memory. */
  TOO_LARGE("larger than 8 MB", true),
  /** No media type is told, or none that can be read. */
  NO_TYPE("no readable Content-Type", true),
  /** A link to a directory, which may lead back to where we are: what it holds is not read. */
  LINKED_DIRECTORY("link to a directory, not followed", true),
  /** Another file of the snapshot has the same key. */
  SAME_KEY("file whose key another one has", true),
  /** The address is missing, cannot be read, or is too long to be a key. */
  NO_ADDRESS("no address, or one that is too long", true),
  /** The date of the fetch is missing or cannot be read. */
  NO_DATE("no readable WARC-Date", true),
  /** The crawler says that its bytes are those of another address, which are not looked up. */
  ELSEWHERE("revisit of another address", true),
  /** The crawler says that the page is what it was, and nothing that was read says what that is. */
  UNSEEN("revisit or status 304 of a page that nothing before it holds", true),
  /** The crawler says that the page is what it was: a revisit, or an answer of status 304. */
  UNCHANGED("revisit or status 304, unchanged", false),
  /** The snapshot holds a later capture of the page as well. */
  EARLIER("captured again later in the same snapshot", false),
  /** The crawler asked by HEAD, POST or another method: what came is not the page. */
  METHOD("answer to another method than GET", false),
  /** A snapshot that holds nothing, as of a crawl that was broken off at once. */
  EMPTY("snapshot without any record or file", false),
  /** A host's robots.txt. */
  ROBOTS("rules for robots", false),
  /** The address is none of those that were asked for. */
  UNWANTED("address not asked for", false),
  /** The browser that crawled loaded it for a page, such as a script (WARC-Resource-Type). */
  PART("part of a page, by its WARC-Resource-Type", false),
  /** What a crawler asked. */
  REQUEST("request", false),
  /** What a crawler noted about an address. */
  METADATA("metadata", false),
  /** A page in another format than it was fetched in. */
  CONVERSION("conversion", false),
  /** Not fetched by http, https or ftp, such as a crawler's own notes; a type not known here. */
  OTHER("other records", false);

  private final String label;
  private final boolean answer;

  LeftOut(String label, boolean answer) {
    this.label = label;
    this.answer = answer;
  }

  /** Whether such a record should have been a page: it is counted as left out. */
  public boolean isAnswer() {
    return answer;
  }

  /** A few words for people. */
  public String label() {
    return label;
  }
}
