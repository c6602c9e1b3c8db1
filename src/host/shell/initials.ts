import type { Project } from '../../core/story/project.ts';

/** The initials of a person as the project's members list gives them, else made from the name. */
export function initialsOf(name: string, project: Project | undefined): string {
  const member = project?.memberships.find(({ person }) => person.name === name);
  return member?.person.initials ?? initialsFrom(name);
}

function initialsFrom(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== '');
  return words
    .slice(0, 3)
    .map((word) => word.slice(0, 1).toLocaleUpperCase())
    .join('');
}
