const XML = 'amp 38 lt 60 gt 62 quot 34 apos 39';

/** The names of U+00A0 to U+00FF, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml ' +
  'Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Letters, punctuation and signs beyond Latin-1 that people's texts hold. */
const OTHERS =
  'OElig 338 oelig 339 Scaron 352 scaron 353 Yuml 376 fnof 402 circ 710 tilde 732 ensp 8194 emsp 8195 thinsp 8201 zwnj 8204 ' +
  'zwj 8205 lrm 8206 rlm 8207 ndash 8211 mdash 8212 lsquo 8216 rsquo 8217 sbquo 8218 ldquo 8220 rdquo 8221 bdquo 8222 ' +
  'dagger 8224 Dagger 8225 bull 8226 hellip 8230 permil 8240 prime 8242 Prime 8243 lsaquo 8249 rsaquo 8250 oline 8254 ' +
  'frasl 8260 euro 8364 trade 8482 larr 8592 uarr 8593 rarr 8594 darr 8595 harr 8596 lArr 8656 rArr 8658 hArr 8660 forall 8704 part 8706 ' +
  'exist 8707 empty 8709 isin 8712 sum 8721 minus 8722 radic 8730 infin 8734 and 8743 or 8744 cap 8745 cup 8746 int 8747 ' +
  'asymp 8776 ne 8800 equiv 8801 le 8804 ge 8805 sub 8834 sup 8835 loz 9674 spades 9824 clubs 9827 hearts 9829 diams 9830 ' +
  'Alpha 913 Beta 914 Gamma 915 Delta 916 Epsilon 917 Zeta 918 Eta 919 Theta 920 Iota 921 Kappa 922 Lambda 923 Mu 924 Nu 925 ' +
  'Xi 926 Omicron 927 Pi 928 Rho 929 Sigma 931 Tau 932 Upsilon 933 Phi 934 Chi 935 Psi 936 Omega 937 alpha 945 beta 946 ' +
  'gamma 947 delta 948 epsilon 949 zeta 950 eta 951 theta 952 iota 953 kappa 954 lambda 955 mu 956 nu 957 xi 958 omicron 959 ' +
  'pi 960 rho 961 sigmaf 962 sigma 963 tau 964 upsilon 965 phi 966 chi 967 psi 968 omega 969';

let table: Record<string, string> | undefined;

/** What `&name;` stands for: XML's five and the names of HTML that servers and clients write (protocol.md). Without a prototype. */
export function namedEntities(): Record<string, string> {
  table ??= entityTable();
  return table;
}

function entityTable(): Record<string, string> {
  const entities: Record<string, string> = Object.create(null);
  for (const [index, name] of LATIN_1.split(' ').entries()) entities[name] = String.fromCharCode(0xa0 + index);
  for (const [, name, code] of `${XML} ${OTHERS}`.matchAll(/\b(\w+) (\d+)/g)) {
    if (name) entities[name] = String.fromCharCode(Number(code));
  }
  return entities;
}
