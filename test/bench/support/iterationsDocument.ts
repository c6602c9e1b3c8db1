const STATES = ['unstarted', 'started', 'finished', 'delivered', 'accepted', 'rejected'] as const;
const TYPES = ['feature', 'bug', 'chore'] as const;
const STORIES_AN_ITERATION = 10;
const WORDS = 'the harbour clock shows when water rises & falls so that boats know how deep “the bar” is today'.split(
  ' ',
);

/** An `iterations` document of version 3 in pieces, written by hand: each story has twenty elements and some 1.2 KB. */
export function* iterationsDocument(stories: number): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<iterations type="array">\n';
  for (let first = 0; first < stories; first += STORIES_AN_ITERATION) {
    const number = first / STORIES_AN_ITERATION + 1;
    yield `  <iteration>\n    <id type="integer">${number}</id>\n    <number type="integer">${number}</number>\n`;
    yield `    <start type="datetime">${moment(number * 7)}</start>\n    <finish type="datetime">${moment(number * 7 + 7)}</finish>\n`;
    yield '    <team_strength type="float">1.0</team_strength>\n    <stories type="array">\n';
    for (let id = first + 1; id <= Math.min(first + STORIES_AN_ITERATION, stories); id += 1) yield story(id);
    yield '    </stories>\n  </iteration>\n';
  }
  yield '</iterations>\n';
}

function story(id: number): string {
  return `      <story>
        <id type="integer">${id}</id>
        <project_id type="integer">7</project_id>
        <story_type>${TYPES[id % TYPES.length]}</story_type>
        <url>https://tracker.example.com/story/show/${id}</url>
        <estimate type="integer">${id % 8}</estimate>
        <current_state>${STATES[id % STATES.length]}</current_state>
        <jira_id>HARBOUR-${id}</jira_id>
        <jira_url>https://tickets.example.com/browse/HARBOUR-${id}</jira_url>
        <description>${sentence(id, 30)}</description>
        <name>${sentence(id + 3, 9)}</name>
        <requested_by>Person ${id % 9}</requested_by>
        <owned_by>Person ${(id + 4) % 9}</owned_by>
        <created_at type="datetime">${moment(id % 300)}</created_at>
        <updated_at type="datetime">${moment((id % 300) + 1)}</updated_at>
        <labels>clock,water ${id % 12}</labels>
        <notes type="array">
          <note>
            <id type="integer">${id * 3}</id>
            <text>${sentence(id + 7, 12)}</text>
            <noted_at type="datetime">${moment(id % 300)}</noted_at>
          </note>
        </notes>
      </story>
`;
}

/** Text as people write it: mostly plain, an entity and a character beyond Latin now and then. */
function sentence(seed: number, words: number): string {
  const chosen = Array.from(
    { length: words },
    (_, index) => WORDS[(seed * 7 + index * (1 + (seed % 5))) % WORDS.length],
  );
  return chosen.join(' ').replaceAll('&', '&amp;');
}

function moment(day: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `2026/${two(1 + (Math.floor(day / 28) % 12))}/${two(1 + (day % 28))} ${two(day % 24)}:15:00 UTC`;
}
