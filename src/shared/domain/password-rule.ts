/** The rule for new passwords in words, Chinese and English, as every place says it that takes one; `newPasswordSchema` checks it. */
export const PASSWORD_RULE = [
  "8 至 72 位，须含字母和数字",
  "8 to 72 characters with letters and digits",
] as const;
