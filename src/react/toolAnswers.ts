import type { UseChatHelpers } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import type { ToolAnswer } from '../recovery/answers.ts';
import { canonical } from '../recovery/canonical.ts';
import { approvalIdOf, type ToolPart, toolPartsOf } from '../recovery/toolParts.ts';
import { reportToDeveloper } from './developer.ts';
import type { Session } from './session.ts';

type SdkAnswers<M extends UIMessage> = Pick<
  UseChatHelpers<M>,
  'addToolOutput' | 'addToolResult' | 'addToolApprovalResponse'
>;

/** What an app gives as an answer, whatever the types of its tools. */
interface GivenOutput {
  readonly toolCallId: string;
  readonly state?: 'output-available' | 'output-error';
  readonly output?: unknown;
  readonly errorText?: string;
  readonly options?: unknown;
}

const OUTPUTS = ['output-available', 'output-error', 'output-denied'];

/** The SDK's functions for answers. What they are given is kept until the server has it, whatever becomes of the screen. */
export function createToolAnswers<M extends UIMessage>(session: () => Session<M>): SdkAnswers<M> {
  const partOf = (isMeant: (part: ToolPart) => boolean): ToolPart | undefined =>
    toolPartsOf(session().chat.messages).findLast(isMeant);

  /** An answer to the call is on its way: another one could only contradict it. */
  const isOnItsWay = (part: ToolPart): boolean => {
    const { turn } = session().controller.model();
    return turn?.answers.some(({ toolCallId }) => toolCallId === part.toolCallId) === true;
  };

  const give = async (
    answer: ToolAnswer,
    part: ToolPart | undefined,
    request: unknown,
    show: () => unknown,
  ): Promise<void> => {
    session().answers.note(answer, request);
    await show();
    // A chat that was left meanwhile, or met again, has a session of its own.
    const { controller, freeAnswers } = session();
    freeAnswers();
    const toolCallId = 'toolCallId' in answer ? answer.toolCallId : part?.toolCallId;
    controller.dispatch({ type: 'answer-given', toolCallId });
  };

  const addToolOutput = (async (given: GivenOutput) => {
    const { toolCallId, state = 'output-available', output, errorText, options } = given;
    const { chat, answers } = session();
    const part = partOf((other) => other.toolCallId === toolCallId);
    if (part !== undefined && isOnItsWay(part)) return;
    type Sdk = Parameters<typeof chat.addToolOutput>[0];
    const show = () =>
      chat.addToolOutput({ ...given, state, options: undefined } as unknown as Sdk);
    if (part !== undefined && OUTPUTS.includes(part.state) && !answers.holds(part)) {
      const isSame = part.state === state && canonical(part.output) === canonical(output);
      if (isSame) return;
      reportToDeveloper(
        `[helix-chat] The tool call ${JSON.stringify(toolCallId)} was answered again, after the server had closed it. ` +
          'The new answer is neither shown nor sent: the conversation does not hold it. Answer each call once.',
      );
      return;
    }
    await give({ toolCallId, state, output, errorText }, part, options, show);
  }) as unknown as SdkAnswers<M>['addToolOutput'];

  return {
    addToolOutput,
    addToolResult: addToolOutput,
    async addToolApprovalResponse({ id, approved, reason, options }) {
      const { chat } = session();
      const part = partOf((other) => approvalIdOf(other) === id);
      // An approval is given or refused once.
      if (part !== undefined && part.state !== 'approval-requested') return;
      await give({ approvalId: id, approved, reason }, part, options, () =>
        chat.addToolApprovalResponse({
          id,
          approved,
          ...(reason === undefined ? {} : { reason }),
        }),
      );
    },
  };
}
