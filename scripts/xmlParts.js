/** What worker and service have of the libraries for XML, in a file that both read. */
export { XMLBuilder } from 'fast-xml-parser';
export { SaxesParser } from 'saxes';
