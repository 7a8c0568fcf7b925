/** Reads and changes session descriptions. */

/** Makes the video sections of a remote description inactive, for a voice call. */
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

/** Whether a candidate with this ICE user name fragment belongs to the description. */
export function hasFragment(sdp: string, fragment: string): boolean {
  return sdp.split(/\r?\n/).includes(`a=ice-ufrag:${fragment}`);
}
