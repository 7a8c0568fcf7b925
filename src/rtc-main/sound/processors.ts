/** Names of the processors of worklet.ts, by which the page makes its nodes. */
export const METER_PROCESSOR = "sound-meter";
export const TICK_PROCESSOR = "picture-tick";
