/**
 * A short pause, for something that must not happen. A slow machine can make a test weaker by it, and never fail one: no assertion may
 * need what happens meanwhile. To wait for something, poll for it.
 */
export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
