/** Names the user of a command. */
export const emailOption = {
  email: { type: 'string', isNeeded: true, value: 'ADDRESS', help: 'the address of the user' },
} as const;
