/** Whether a call is of two people or of a group, as it goes over the wire (docs/calls.md#messages). */
export const CALL_TYPE = { group: 2, single: 1 } as const;
export type CallType = (typeof CALL_TYPE)[keyof typeof CALL_TYPE];
