import { replacedCharacters } from '../../v3/assumptions.ts';
import { refuseWideJson } from '../../v3/jsonBody.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { readBytes } from '../call/bodies.ts';
import { type Call, type Exchange, signedInAsAgent } from '../call/exchange.ts';
import { badRequest, errorCode, Refusal } from '../ground/errors.ts';
import type { Reply } from '../http/reply.ts';
import { type RunTool, runTool } from './runTool.ts';

/** Bytes of a message: the longest texts that a tool takes, each character written as long as one can be, and much besides. */
const BODY_LIMIT = 256 * 1024;
/** Values of one. */
const MAX_VALUES = 1_000;

/**
 * Answers one message of an agent. Each stands alone: there is no session, and no stream for the service to speak first. A service without
 * this part says so, also to who asks whether it has one (GET: 405 where it has).
 */
export async function answerAgent(exchange: Exchange): Promise<Reply> {
  try {
    const { answerMessage } = await import('./protocolServer.ts').catch(withoutPart);
    if (exchange.request.method !== 'POST') throw new Refusal(405, 'This address answers to POST only.', POST_ONLY);
    return await signedInAsAgent((call) => answered(call, answerMessage))({ ...exchange, needs: 'read' });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, sentences, headers } = error;
    return jsonReply(status, errorBody(status === 400 ? INVALID : OTHER, sentences.join(' ')), headers);
  }
}

const POST_ONLY = { Allow: 'POST' };

/** Codes of JSON-RPC. */
const INVALID = -32_600;
const OTHER = -32_000;

function withoutPart(error: unknown): never {
  if (!errorCode(error).endsWith('MODULE_NOT_FOUND')) throw error;
  throw new Refusal(
    501,
    'The service that comes with the extension has no MCP server. Use the tools of the extension in VS Code, or the service package (npm run package:service).',
  );
}

type AnswerMessage = typeof import('./protocolServer.ts').answerMessage;

async function answered(call: Call, answerMessage: AnswerMessage): Promise<Reply> {
  const message = await readMessage(call);
  let failure: { readonly error: unknown } | undefined;
  const run: RunTool = async (called) => {
    try {
      return await runTool(call, called);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const reply = await answerMessage(message, { headers: protocolHeaders(call), scope: call.scope, run });
  // The protocol would put its message into the answer; it belongs into the log.
  if (failure) throw failure.error;
  return jsonReply(reply.status, reply.body);
}

function protocolHeaders({ request: { headers } }: Call): Readonly<Record<string, string>> {
  const version = headers['mcp-protocol-version'];
  return {
    'Content-Type': 'application/json',
    Accept: headers.accept ?? '',
    ...(typeof version === 'string' && { 'MCP-Protocol-Version': version }),
  };
}

/** One message: each has its turn among those of others. Texts have no characters that the service could not write (XML 1.0). */
async function readMessage(call: Call): Promise<object> {
  if (!/^application\/json\s*(?:;|$)/i.test(call.request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'Send the message as application/json.');
  const text = (await readBytes(call, BODY_LIMIT)).toString('utf8');
  const message = parsed(text);
  if (Array.isArray(message)) throw badRequest('Send one message at a time.');
  if (typeof message !== 'object' || message === null) throw badRequest('The message must be a JSON object.');
  return withoutNullArguments(message);
}

/** Some clients write null where they pass a tool no arguments; the protocol has them left out. */
function withoutNullArguments(message: object): object {
  const params = 'params' in message ? message.params : undefined;
  if (typeof params !== 'object' || params === null || !('arguments' in params)) return message;
  const { arguments: given, ...others } = params;
  return given === null ? { ...message, params: others } : message;
}

function parsed(text: string): unknown {
  try {
    refuseWideJson(text, MAX_VALUES);
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? replacedCharacters(value) : value));
  } catch (error) {
    throw badRequest(error instanceof XmlError ? error.message : 'The message is not JSON.');
  }
}

function errorBody(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
}

function jsonReply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers }, body };
}
