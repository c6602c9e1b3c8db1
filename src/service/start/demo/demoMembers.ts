export type Initials = 'NV' | 'TA' | 'IQ';

export interface DemoMember {
  readonly name: string;
  readonly email: string;
  readonly initials: string;
  readonly role: 'Owner' | 'Member' | 'Viewer';
}

/** The people of the demo project. The first is the one whom the demo signs in. */
export const demoMembers: Readonly<Record<Initials, DemoMember>> = {
  NV: { name: 'Nora Vesper', email: 'nora.vesper@example.com', initials: 'NV', role: 'Owner' },
  TA: { name: 'Tobin Ashgrove', email: 'tobin.ashgrove@example.com', initials: 'TA', role: 'Member' },
  IQ: { name: 'Ines Quillard', email: 'ines.quillard@example.com', initials: 'IQ', role: 'Member' },
};
