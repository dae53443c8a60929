// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells requests that ask for this machine from others. A page of the web may give its own host
 * this machine's address (DNS rebinding): then a browser lets it read what is served here, but
 * still names that host.
 */
final class LoopbackHost {
  private static final Pattern HOST =
      Pattern.compile(
          "(?:localhost[.]?|127(?:[.]\\d{1,3}){3}|(?<ip6>\\[[0-9a-f:.]+\\]))(?::\\d*)?",
          Pattern.CASE_INSENSITIVE);

  private LoopbackHost() {}

  /** Whether a header {@code Host} names this machine, by its name or an address of it. */
  static boolean isIn(String header) {
    Matcher host = HOST.matcher(header);
    return host.matches() && (host.group("ip6") == null || isLoopback(host.group("ip6")));
  }

  /** Nobody is asked for an address in brackets. */
  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
