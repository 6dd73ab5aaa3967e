// With which address others open a link to this server.

import { ask } from "../api.js";
import { useEffect, useState } from "../dom.js";
import { alone, wholeLink } from "../place.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** @typedef {{whole: (link: string) => string, why: string | null}} Reach `why` says why others cannot open links */

/** @returns {Reach | null} null until the server has answered */
export function useReach() {
  const [reach, setReach] = useState(null);
  useEffect(() => {
    // Who came here by an address that others have can pass it on.
    if (alone || !LOCAL.includes(location.hostname)) setReach({ whole: wholeLink, why: null });
    else {
      ask("/api/reach").then(
        ({ addresses: [base], why }) => setReach({ whole: base ? (link) => base + link : wholeLink, why }),
        (error) => setReach({ whole: wholeLink, why: error.message }),
      );
    }
  }, []);
  return reach;
}
