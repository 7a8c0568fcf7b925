/** The few things read from or changed in session descriptions. */

/** Video sections of a voice call's remote description, made inactive. */
export function withoutVideo(sdp: string): string {
  return sdp
    .split(/(?=^m=)/m)
    .map((section) =>
      section.startsWith("m=video")
        ? section.replace(/^a=(sendrecv|sendonly|recvonly)(\r?)$/gm, "a=inactive$2")
        : section,
    )
    .join("");
}

/** Whether a candidate's generation (its user name fragment) is the one of this description. */
export function hasFragment(sdp: string, fragment: string): boolean {
  return sdp.split(/\r?\n/).includes(`a=ice-ufrag:${fragment}`);
}
