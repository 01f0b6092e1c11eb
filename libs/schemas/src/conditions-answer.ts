import { requiredAttributes, type Conditions, type RequiredAttribute } from '@laurel/kernel';
import { z } from 'zod';

const attribute = z.object({
  key: z.string().meta({ description: 'Key of the attribute.', examples: ['plan'] }),
  value: z.string().meta({ description: 'A value that matches.', examples: ['pro'] }),
});

/** The conditions of something, as answers show them. */
export const conditionFields = {
  userAttributes: z.array(attribute).meta({
    description: 'Attributes of users on which it depends, one element for each value; empty without a condition.',
  }),
  eventAttribute: attribute
    .optional()
    .meta({ description: 'Only with a condition on events: the first of `eventAttributes`.' }),
  eventAttributes: z.array(attribute).optional().meta({
    description: 'Only with a condition on events: the attributes on which it depends, one element for each value.',
  }),
};

export interface ConditionsAnswer {
  readonly userAttributes: RequiredAttribute[];
  readonly eventAttribute?: RequiredAttribute;
  readonly eventAttributes?: RequiredAttribute[];
}

export function conditionsAnswer(where: Conditions | null): ConditionsAnswer {
  const eventAttributes = requiredAttributes(where?.event);
  const [eventAttribute] = eventAttributes;
  return {
    userAttributes: requiredAttributes(where?.user),
    ...(eventAttribute !== undefined && { eventAttribute, eventAttributes }),
  };
}
