/** Whether the conference type is mixed (11 and 12, docs/conferences.md#types). Mixed conferences accept no screen with sound. */
export const isMixed = (type: number | undefined): boolean => type === 11 || type === 12;
