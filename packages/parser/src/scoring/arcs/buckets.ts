import { distanceBucket } from "@arcwise/core/features";

const BUCKETS = Uint8Array.from({ length: 64 }, (_, distance) => distanceBucket(distance));

/** Bucket of the distance between two words. */
export function bucketOf(h: number, m: number): number {
  const distance = h < m ? m - h : h - m;
  return BUCKETS[distance < 63 ? distance : 63];
}
