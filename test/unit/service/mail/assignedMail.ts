import type { AssignedMail } from '../../../../src/service/mail/assigned/composedMail.ts';

type Parts = Omit<Partial<AssignedMail>, 'replyTo'> & { readonly replyTo?: string | undefined };

/** The mail that tells Ben of the story 12 that Ada gave him. */
export function anAssignedMail(
  { replyTo, ...parts }: Parts = { replyTo: 'story-12-2-proof@tracker.example.org' },
): AssignedMail {
  return {
    key: '6f1c8a04-52a9-4f3a-9d0f-0a8b7c6d5e4f',
    at: Date.UTC(2026, 10, 21, 10),
    by: 'Ada',
    to: { name: 'Ben', address: 'ben@example.org' },
    from: { name: 'Story Tracker', address: 'tracker@example.org' },
    project: 'Apollo',
    story: aStoryOfMail(),
    preferencesUrl: 'https://tracker.example.org/mail/1-2-proof',
    ...(replyTo !== undefined && { replyTo }),
    ...parts,
  };
}

export function aStoryOfMail(shown: Partial<AssignedMail['story']['shown']> = {}): AssignedMail['story'] {
  return {
    id: 12,
    url: 'https://tracker.example.org/story/show/12',
    shown: {
      name: 'Land',
      type: 'feature',
      state: 'unstarted',
      estimate: 3,
      description: 'On the Moon.\n\nSoftly.',
      ...shown,
    },
  };
}
