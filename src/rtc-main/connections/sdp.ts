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

/**
 * Asks the other side for Opus with in-band FEC, by which a lost packet is heard from the next one, and with DTX, by which silence takes
 * almost no bandwidth. A description says what its maker wants to receive.
 */
export function withOpusForWeakNetworks(sdp: string): string {
  const payload = /^a=rtpmap:(\d+) opus\/48000/im.exec(sdp)?.[1];
  if (payload === undefined) return sdp;
  return sdp.replace(
    new RegExp(`^(a=fmtp:${payload} )(.*?)(\r?)$`, "m"),
    (_line, head, given, end) => {
      const others = String(given)
        .split(";")
        .map((one) => one.trim())
        .filter((one) => one !== "" && !/^(useinbandfec|usedtx)=/.test(one));
      return `${head}${[...others, "useinbandfec=1", "usedtx=1"].join(";")}${end}`;
    },
  );
}

/** Whether a candidate with this ICE user name fragment belongs to the description. */
export function hasFragment(sdp: string, fragment: string): boolean {
  return sdp.split(/\r?\n/).includes(`a=ice-ufrag:${fragment}`);
}
