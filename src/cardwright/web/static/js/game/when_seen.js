// What is fetched only when its place on the page comes into view.

import { useEffect, useRef, useState } from "../dom.js";

/**
 * @template T
 * @param {() => Promise<T>} fetchIt
 * @returns {{place: {current: any}, found: T | null, error: string}} `place` is the ref of the element
 */
export function useWhenSeen(fetchIt) {
  const place = useRef(null);
  const [found, setFound] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        watcher.disconnect();
        fetchIt().then(setFound, (problem) => setError(problem.message));
      },
      { rootMargin: "200px" },
    );
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return { place, found, error };
}
